// SPDX-License-Identifier: Apache-2.0

/// An endpoint that needs a link.
struct WantedLink {
  let endpoint: Endpoint
  let name: String
  /// The port of the machine; nil for a virtual endpoint, which others see.
  let peer: MachinePort?
  /// The link, if the endpoint has it already: that of a destination of the machine.
  let link: MachineLink?

  var isPublishedSource: Bool { peer == nil && endpoint.isSource }

  /// Whether a link is still the right one.
  func matches(_ link: MachineLink) -> Bool {
    // A port of the machine remains the same when its name changes.
    guard link.peer?.address == peer?.address, peer != nil || link.name == name else {
      return false
    }
    return self.link.map { $0 === link } ?? true
  }
}
