// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI

/// What has endpoints that are connected to the machine: a setup. Called by the machine thread.
protocol MachineOwner: AnyObject, Sendable {
  /// A number for something that receives.
  func newRef() -> MIDIObjectRef

  /// Makes the devices of a back end those whose ports exist now. `sent` is for the links of
  /// destinations.
  func update(
    _ ports: [MachinePort], of backend: String, sent: @escaping @Sendable (_ isFirst: Bool) -> Void
  )

  /// The endpoints that need a link of a back end.
  func wantedLinks(of backend: String) -> [MIDIObjectRef: WantedLink]

  /// A link for an endpoint that has none.
  func link(
    for want: WantedLink, sent: @escaping @Sendable (_ isFirst: Bool) -> Void
  ) -> MachineLink

  /// Sends what a virtual source sends to the machine, too.
  func publish(_ want: WantedLink, by link: MachineLink, as ref: MIDIObjectRef)

  /// Ends that.
  func withdraw(_ endpoint: MIDIObjectRef, _ ref: MIDIObjectRef)
}
