// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI

/// A connection that passes messages from sources to destinations.
final class ThruConnection: MIDIObject, @unchecked Sendable {
  override class var noun: String { "thru connection" }

  /// By which a program finds it again; nil: not at all.
  let owner: String?
  var parameters: ThruParameters
  /// The sources that it receives from now.
  var sources: [Endpoint] = []

  init(_ ref: MIDIObjectRef, owner: String?, _ parameters: ThruParameters) {
    (self.owner, self.parameters) = (owner, parameters)
    super.init(ref, .other, name: "")
  }
}
