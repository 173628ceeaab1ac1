// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import ProcessingGraph
import UnitChains

/// The nodes of a graph as those of a chain, read with the functions that programs use.
enum ChainNodes {
  /// The nodes, and the place of the one whose output is the graph's.
  static func read(_ graph: AUGraph) throws(AudioError) -> (nodes: [ChainNode], head: Int) {
    var count: UInt32 = 0
    try check(AUGraphGetNodeCount(graph, &count))
    var (nodes, places, outputs) = ([ChainNode](), [AUNode: Int](), Set<Int>())
    for index in 0..<count {
      var (node, unit) = (AUNode(), AudioUnit?.none)
      var description = AudioComponentDescription()
      try check(AUGraphGetIndNode(graph, index, &node))
      try check(AUGraphNodeInfo(graph, node, &description, &unit))
      guard let unit else {
        throw AudioError.invalidAudioUnit.because("node \(node) has no unit; open the graph first")
      }
      let place = nodes.count
      places[node] = place
      if description.componentType == kAudioUnitType_Output { outputs.insert(place) }
      nodes.append(ChainNode(unit, sources: [], isFed: takesSound(description)))
    }
    var interactions: UInt32 = 0
    try check(AUGraphGetNumberOfInteractions(graph, &interactions))
    for index in 0..<interactions {
      var interaction = AUNodeInteraction()
      try check(AUGraphGetInteractionInfo(graph, index, &interaction))
      if interaction.nodeInteractionType == kAUNodeInteraction_Connection {
        let connection = interaction.nodeInteraction.connection
        guard let source = places[connection.sourceNode],
          let destination = places[connection.destNode]
        else { continue }
        nodes[destination].sources.append(
          .init(
            bus: connection.destInputNumber, unit: source, output: connection.sourceOutputNumber))
        if connection.destInputNumber == 0 { nodes[destination].isFed = false }
      } else if let place = places[interaction.nodeInteraction.inputCallback.destNode],
        interaction.nodeInteraction.inputCallback.destInputNumber == 0
      {
        nodes[place].isFed = false
      }
    }
    return (nodes, try head(nodes, outputs))
  }

  /// The node that the output unit plays, or else the only one that feeds no other.
  private static func head(_ nodes: [ChainNode], _ outputs: Set<Int>) throws(AudioError) -> Int {
    for output in outputs {
      if let source = nodes[output].sources.first(where: { $0.bus == 0 }) {
        guard source.output == 0 else {
          throw AudioError.outputNode.because(
            "the output node plays output \(source.output) of its source; expected output 0")
        }
        return source.unit
      }
    }
    let sources = Set(nodes.flatMap { $0.sources.map(\.unit) })
    let ends = nodes.indices.filter { !sources.contains($0) && !outputs.contains($0) }
    guard ends.count == 1 else {
      throw AudioError.outputNode.because(
        "\(ends.count) nodes feed no other; expected one, or an output node")
    }
    return ends[0]
  }

  private static func takesSound(_ description: AudioComponentDescription) -> Bool {
    [
      kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_FormatConverter,
      kAudioUnitType_Mixer, kAudioUnitType_Panner,
    ].contains(description.componentType)
  }

  /// Throws the error of a function of the graph, with its explanation.
  private static func check(_ status: OSStatus) throws(AudioError) {
    guard status != noErr else { return }
    throw AudioError(status: status).because(Explanations.last ?? "")
  }
}
