// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// Why a graph would be silent although it can be played: judged by its structure, not its signal.
struct GraphSilence {
  private let graph: AUGraph
  private let map: GraphMap

  /// Reads an open graph.
  init(_ graph: AUGraph) throws(Failure) {
    self.graph = graph
    map = try GraphMap(graph)
  }

  /// What is wrong, one sentence each; empty if the graph is audible.
  var reasons: [String] {
    let outputs = map.nodes.filter(\.isOutput)
    if outputs.isEmpty { return ["it has no output unit"] }
    let fed = outputs.filter { !map.inputs(of: $0.id).isEmpty }
    // An output unit that only captures makes no sound.
    guard !fed.isEmpty else {
      return ["nothing is connected to \(outputs.map { "\"\($0.name)\"" }.joined(separator: ", "))"]
    }
    var reasons: [String] = []
    for output in fed {
      var seen: Set<AUNode> = []
      if sounds(output.id, &seen, &reasons) { return [] }
    }
    return reasons
  }

  /// Whether a source reaches a node; adds what is missing on the path to the reasons.
  private func sounds(
    _ id: AUNode, _ seen: inout Set<AUNode>, _ reasons: inout [String]
  ) -> Bool {
    guard seen.insert(id).inserted, let node = map.node(id) else { return false }
    if node.makesSound { return true }
    let edges = map.inputs(of: id)
    if edges.isEmpty { reasons.append("nothing is connected to \"\(node.name)\"") }
    var isAudible = false
    for edge in edges {
      switch edge.source {
      case .callback: isAudible = true
      case .node(let source, let output):
        guard let other = map.node(source) else { continue }
        if other.isOutput {
          if captures(source) {
            isAudible = true
          } else {
            reasons.append(
              "\"\(node.name)\" plays what \"\(other.name)\" captures at output \(output), and "
                + "\"\(other.name)\" does not capture: give it "
                + #""inputs": [{}, {"properties": {"enableIO": true}}]"#)
          }
        } else if sounds(source, &seen, &reasons) {
          isAudible = true
        }
      }
    }
    return isAudible
  }

  /// Whether an output unit captures.
  private func captures(_ id: AUNode) -> Bool {
    var unit: AudioUnit?
    guard AUGraphNodeInfo(graph, id, nil, &unit) == noErr, let unit else { return true }
    let isOn = unit.value(
      kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, over: UInt32(1))
    return isOn != 0
  }
}
