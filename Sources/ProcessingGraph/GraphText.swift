// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioUnitCore
import CAudioToolbox

// The text that `CAShow` prints for a graph, in the form that it has on Apple's systems.
extension ProcessingGraph {
  /// [any thread] Nodes, connections with their formats, callbacks and state.
  public func text() throws(AudioError) -> String {
    try control { () in lines(indent: "").map { $0 + "\n" }.joined() }
  }

  private func lines(indent: String) -> [String] {
    var lines = ["AudioUnitGraph \(address(handle)):", "  Member Nodes:"]
    for node in nodes {
      if let subgraph = node.subgraph {
        lines.append("    node \(node.number): sub-graph")
        lines += subgraph.lines(indent: indent + "      ")
      } else {
        lines.append(
          "    node \(node.number): \(node.description.codes), instance \(address(node.unit?.handle))"
            + (node.isOutput ? " O" : "") + (isReady(node) ? " I" : ""))
      }
    }
    lines.append("  Connections:")
    for interaction in interactions {
      guard case .connection(let source, let output) = interaction.source else { continue }
      lines.append(
        "    node \(source) bus \(output) => node \(interaction.node) bus \(interaction.bus)"
          + format(source, kAudioUnitScope_Output, output))
    }
    lines.append("  Input Callbacks:")
    for interaction in interactions {
      guard case .callback(let callback) = interaction.source else { continue }
      let function = unsafeBitCast(callback.inputProc, to: UInt.self)
      let context = UInt(bitPattern: callback.inputProcRefCon)
      lines.append(
        "    {0x\(String(function, radix: 16)), 0x\(String(context, radix: 16))} => "
          + "node \(interaction.node) bus \(interaction.bus)"
          + format(interaction.node, kAudioUnitScope_Input, interaction.bus))
    }
    let root = root
    lines += [
      "  CurrentState:",
      "    mLastUpdateError=\(root.lastUpdateError), "
        + "eventsToProcess=\(flag(root.isEdited || root.isSwitching)), isOpen=\(flag(root.stage >= .open)), "
        + "isInitialized=\(flag(root.stage == .initialized)), isRunning=\(flag(root.isRunning))",
    ]
    return lines.map { indent + $0 }
  }

  private func isReady(_ node: Node) -> Bool {
    node.unit.map { root.participants.contains(ObjectIdentifier($0)) } ?? false
  }

  private func format(_ number: Int32, _ scope: AudioUnitScope, _ bus: UInt32) -> String {
    guard let unit = try? node(number).unit, let format = try? unit.streamFormat(scope, bus) else {
      return ""
    }
    return "  [\(format.text)]"
  }

  private func address(_ handle: (any ObjectHandle)?) -> String {
    "0x" + String(handle?.number ?? 0, radix: 16)
  }

  private func flag(_ isSet: Bool) -> String { isSet ? "T" : "F" }

  /// [under the lock] The interactions of a node.
  public func interactions(of number: Int32) throws(AudioError) -> [Interaction] {
    let node = try node(number)
    return interactions.filter { $0.concerns(node.number) }
  }
}
