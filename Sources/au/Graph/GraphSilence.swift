// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioUnitCore

/// Why a graph can be played and nothing is heard: by what it is, not by what reaches it.
struct GraphSilence {
  private let graph: AUGraph
  private let map: GraphMap

  /// Looks at an open graph.
  init(_ graph: AUGraph) throws(Failure) {
    self.graph = graph
    map = try GraphMap(graph)
  }

  /// What is wrong, a sentence each; none where something can be heard.
  var reasons: [String] {
    let outputs = map.nodes.filter(\.isOutput)
    if outputs.isEmpty { return ["it has no output unit"] }
    let fed = outputs.filter { !map.inputs(of: $0.id).isEmpty }
    // One that only captures is heard by whoever reads it, not by us.
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

  /// Whether something reaches a node; what is missing on the way is added to the reasons.
  private func sounds(
    _ id: AUNode, _ seen: inout Set<AUNode>, _ reasons: inout [String]
  ) -> Bool {
    guard seen.insert(id).inserted, let node = map.node(id) else { return false }
    if node.makesSound { return true }
    let edges = map.inputs(of: id)
    if edges.isEmpty { reasons.append("nothing is connected to \"\(node.name)\"") }
    var isHeard = false
    for edge in edges {
      switch edge.source {
      case .callback: isHeard = true
      case .node(let source, let output):
        guard let other = map.node(source) else { continue }
        if other.isOutput {
          if captures(source) {
            isHeard = true
          } else {
            reasons.append(
              "\"\(node.name)\" plays what \"\(other.name)\" captures at output \(output), and "
                + "\"\(other.name)\" does not capture: give it "
                + #""inputs": [{}, {"properties": {"enableIO": true}}]"#)
          }
        } else if sounds(source, &seen, &reasons) {
          isHeard = true
        }
      }
    }
    return isHeard
  }

  /// Whether an output unit captures.
  private func captures(_ id: AUNode) -> Bool {
    var unit: AudioUnit?
    guard AUGraphNodeInfo(graph, id, nil, &unit) == noErr, let unit else { return true }
    let isOn = UnitInstance.use(unit) {
      $0.value(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, over: UInt32(1))
    }
    return isOn != 0
  }
}
