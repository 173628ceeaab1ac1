// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

extension GraphMap {
  /// A tree for each end of the graph, from the output back to the sources:
  ///
  ///     out  Apple: DefaultOutputUnit
  ///     └─ 0 ← mixer:0  Apple: AUMultiChannelMixer  (44100 Hz, 2 × 32-bit float)
  ///        ├─ 0 ← left:0  swift-audiotoolbox: Tone generator  (44100 Hz, 1 × 32-bit float)
  ///        └─ 1 ← callback  (44100 Hz, 1 × 32-bit float)
  var text: String {
    var shown: Set<AUNode> = []
    return ends.map { node in
      "\(node.name)  \(node.component)\n" + branches(of: node.id, margin: "", &shown)
    }.joined()
  }

  private func branches(of id: AUNode, margin: String, _ shown: inout Set<AUNode>) -> String {
    shown.insert(id)
    let edges = inputs(of: id)
    var text = ""
    for (index, edge) in edges.enumerated() {
      let isLast = index == edges.count - 1
      text += "\(margin)\(isLast ? "└─" : "├─") \(edge.input) ← "
      switch edge.source {
      case .callback:
        text += "callback  (\(edge.format))\n"
      case .node(let source, let output):
        guard let node = node(source) else { continue }
        text += "\(node.name):\(output)  \(node.component)  (\(edge.format))"
        // A node that feeds several inputs is drawn once.
        if shown.contains(source) {
          text += "  see above\n"
        } else {
          text += "\n" + branches(of: source, margin: margin + (isLast ? "   " : "│  "), &shown)
        }
      }
    }
    return text
  }
}
