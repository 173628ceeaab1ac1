// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

extension EngineCore {
  /// Connects a MIDI processor to exactly these destinations.
  func connectMIDI(_ request: MIDIConnection.Request, _ call: String) throws {
    try editMIDI([request.source] + request.destinations, call) { try $0.connect(request, call) }
  }

  /// Removes the MIDI connections that match; the nodes have to be attached.
  func disconnectMIDI(
    _ nodes: [any GraphNode], _ call: String, where matches: (NodeUnit, NodeUnit) -> Bool
  ) throws {
    try editMIDI(nodes, call) { $0.remove(where: matches) }
  }
}
