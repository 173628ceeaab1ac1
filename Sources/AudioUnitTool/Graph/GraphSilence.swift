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
    if isClosed(id) {
      reasons.append(
        "the matrix mixer \"\(node.name)\" is closed: the volumes of its inputs, outputs, crosspoints "
          + "or its master are 0 until they are set")
      return false
    }
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

  /// Whether a node is a matrix mixer that passes nothing: on each way from an input channel to an output
  /// channel a volume is 0.
  private func isClosed(_ id: AUNode) -> Bool {
    var unit: AudioUnit?
    var description = AudioComponentDescription()
    guard AUGraphNodeInfo(graph, id, &description, &unit) == noErr, let unit,
      description.componentSubType == kAudioUnitSubType_MatrixMixer
    else { return false }
    return MatrixLevels(unit)?.isClosed ?? false
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

/// The volumes of a matrix mixer.
struct MatrixLevels {
  /// A row for each input channel, and one for the volumes of the output channels and the master.
  private let rows: [[Float]]

  /// [control thread] Reads the volumes; nil if the unit does not have them.
  init?(_ unit: AudioUnit) {
    var dimensions = [UInt32(0), UInt32(0)]
    var size = UInt32(8)
    guard
      AudioUnitGetProperty(
        unit, kAudioUnitProperty_MatrixDimensions, kAudioUnitScope_Global, 0, &dimensions, &size)
        == noErr
    else { return nil }
    let (rowCount, columnCount) = (Int(dimensions[0]) + 1, Int(dimensions[1]) + 1)
    var levels = [Float](repeating: 0, count: rowCount * columnCount)
    size = UInt32(clamping: levels.count * MemoryLayout<Float>.size)
    guard
      AudioUnitGetProperty(
        unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, &levels, &size) == noErr
    else { return nil }
    rows = (0..<rowCount).map { Array(levels[$0 * columnCount..<($0 + 1) * columnCount]) }
  }

  /// Whether no sound passes.
  var isClosed: Bool {
    guard let last = rows.last, let master = last.last, master != 0 else { return true }
    return !rows.dropLast().contains { row in
      row.last != 0 && zip(row.dropLast(), last.dropLast()).contains { $0 * $1 != 0 }
    }
  }
}
