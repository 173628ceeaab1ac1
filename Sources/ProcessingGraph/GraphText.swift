// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// The text that `CAShow` prints for a graph, in the form that it has on Apple's systems: nodes,
/// connections with their formats, callbacks and state.
struct GraphText {
  private let state: GraphState
  /// The text of a graph or sub-graph.
  private(set) var text = ""

  /// [under the lock]
  init(_ topology: Topology, _ state: GraphState) {
    self.state = state
    text = lines(topology, indent: "").map { $0 + "\n" }.joined()
  }

  private func lines(_ topology: Topology, indent: String) -> [String] {
    var lines = ["AudioUnitGraph \(address(topology.handle)):", "  Member Nodes:"]
    for node in topology.nodes {
      if let subgraph = node.subgraph {
        lines.append("    node \(node.number): sub-graph")
        lines += self.lines(subgraph, indent: indent + "      ")
      } else {
        lines.append(
          "    node \(node.number): \(node.description.codes), instance \(address(node.unit?.handle))"
            + (node.isOutput ? " O" : "") + (isReady(node) ? " I" : ""))
      }
    }
    lines.append("  Connections:")
    for interaction in topology.interactions {
      guard case .connection(let source, let output) = interaction.source else { continue }
      lines.append(
        "    node \(source) bus \(output) => node \(interaction.node) bus \(interaction.bus)"
          + format(topology, source, kAudioUnitScope_Output, output))
    }
    lines.append("  Input Callbacks:")
    for interaction in topology.interactions {
      guard case .callback(let callback) = interaction.source else { continue }
      let function = unsafeBitCast(callback.inputProc, to: UInt.self)
      let context = UInt(bitPattern: callback.inputProcRefCon)
      lines.append(
        "    {0x\(String(function, radix: 16)), 0x\(String(context, radix: 16))} => "
          + "node \(interaction.node) bus \(interaction.bus)"
          + format(topology, interaction.node, kAudioUnitScope_Input, interaction.bus))
    }
    lines += [
      "  CurrentState:",
      "    mLastUpdateError=\(state.lastUpdateError), "
        + "eventsToProcess=\(flag(state.isEdited || state.swaps.isPending)), "
        + "isOpen=\(flag(state.stage >= .open)), isInitialized=\(flag(state.stage >= .initialized)), "
        + "isRunning=\(flag(state.isRunning))",
    ]
    return lines.map { indent + $0 }
  }

  private func isReady(_ node: Node) -> Bool {
    node.unit.map(state.units.isConnected) ?? false
  }

  private func format(
    _ topology: Topology, _ number: Int32, _ scope: AudioUnitScope, _ bus: UInt32
  ) -> String {
    guard let unit = try? topology.nodes.numbered(number).unit,
      let format = try? unit.streamFormat(scope, bus)
    else { return "" }
    return "  [\(format.text)]"
  }

  private func address(_ handle: (any ObjectHandle)?) -> String {
    "0x" + String(handle?.number ?? 0, radix: 16)
  }

  private func flag(_ isSet: Bool) -> String { isSet ? "T" : "F" }
}
