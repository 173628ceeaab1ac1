// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// The structure of a graph, read from the graph itself, for drawings.
struct GraphMap {
  /// A unit's place in the graph.
  struct Node {
    let id: AUNode
    /// The unit's nickname, or its subtype.
    let name: String
    /// The component's name: "Apple: AUMultiChannelMixer".
    let component: String
    /// Whether it is an output unit.
    let isOutput: Bool
    /// Whether it makes sound without an input: generators, instruments, and unknown types.
    let makesSound: Bool
  }

  /// The source of a bus.
  enum Source: Equatable {
    case node(AUNode, output: UInt32)
    case callback
  }

  /// A bus with its source and format.
  struct Edge {
    let source: Source
    let destination: AUNode
    let input: UInt32
    /// "44100 Hz, 2 × 32-bit float".
    let format: String
  }

  let nodes: [Node]
  let edges: [Edge]

  /// [control thread] Reads an open graph.
  init(_ graph: AUGraph) throws(Failure) {
    nodes = try Self.nodes(of: graph)
    edges = try Self.edges(of: graph)
  }

  /// The node with this number.
  func node(_ id: AUNode) -> Node? { nodes.first { $0.id == id } }

  /// The connections into a node, in the order of its buses.
  func inputs(of id: AUNode) -> [Edge] {
    edges.filter { $0.destination == id }.sorted { $0.input < $1.input }
  }

  /// Nodes that feed no other, and output units: a duplex unit may play what it captures.
  var ends: [Node] { nodes.filter { $0.isOutput || !feedsAnother($0.id) } }

  /// Whether a node is the source of an edge.
  func feedsAnother(_ id: AUNode) -> Bool {
    edges.contains { if case .node(id, _) = $0.source { true } else { false } }
  }

  private static func nodes(of graph: AUGraph) throws(Failure) -> [Node] {
    var count: UInt32 = 0
    try Failure.check(AUGraphGetNodeCount(graph, &count), "Can't count the nodes")
    var nodes: [Node] = []
    for index in 0..<count {
      var id = AUNode()
      try Failure.check(AUGraphGetIndNode(graph, index, &id), "Can't list the nodes")
      nodes.append(try node(id, in: graph))
    }
    return nodes
  }

  private static func node(_ id: AUNode, in graph: AUGraph) throws(Failure) -> Node {
    var description = AudioComponentDescription()
    var unit: AudioUnit?
    try Failure.check(AUGraphNodeInfo(graph, id, &description, &unit), "Can't describe a node")
    let subtype = "\(FourCharacterCode(description.componentSubType))"
    return Node(
      id: id, name: unit?.text(kAudioUnitProperty_NickName) ?? subtype,
      component: UnitComponent(description)?.name ?? subtype,
      isOutput: description.componentType == kAudioUnitType_Output,
      makesSound: !Self.processors.contains(description.componentType))
  }

  /// Types of units that make no sound without an input.
  private static let processors: Set<OSType> = [
    kAudioUnitType_Output, kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_Mixer,
    kAudioUnitType_FormatConverter, kAudioUnitType_Panner, kAudioUnitType_OfflineEffect,
  ]

  private static func edges(of graph: AUGraph) throws(Failure) -> [Edge] {
    var count: UInt32 = 0
    try Failure.check(
      AUGraphGetNumberOfInteractions(graph, &count), "Can't count the connections")
    var edges: [Edge] = []
    for index in 0..<count {
      var interaction = AUNodeInteraction()
      try Failure.check(
        AUGraphGetInteractionInfo(graph, index, &interaction), "Can't list the connections")
      edges.append(try edge(interaction, in: graph))
    }
    return edges
  }

  private static func edge(_ interaction: AUNodeInteraction, in graph: AUGraph) throws(Failure)
    -> Edge
  {
    let isConnection =
      interaction.nodeInteractionType == UInt32(kAUNodeInteraction_Connection)
    let connection = interaction.nodeInteraction.connection
    let callback = interaction.nodeInteraction.inputCallback
    let destination = isConnection ? connection.destNode : callback.destNode
    let input = isConnection ? connection.destInputNumber : callback.destInputNumber
    var unit: AudioUnit?
    try Failure.check(AUGraphNodeInfo(graph, destination, nil, &unit), "Can't describe a node")
    return Edge(
      source: isConnection
        ? .node(connection.sourceNode, output: connection.sourceOutputNumber) : .callback,
      destination: destination, input: input, format: unit.map { format($0, input) } ?? "")
  }

  private static func format(_ unit: AudioUnit, _ bus: UInt32) -> String {
    guard let format = unit.streamDescription(kAudioUnitScope_Input, bus) else { return "" }
    let kind = format.mFormatFlags & kAudioFormatFlagIsFloat != 0 ? "float" : "integer"
    return "\(Numbers.plain(format.mSampleRate)) Hz, \(format.mChannelsPerFrame) × "
      + "\(format.mBitsPerChannel)-bit \(kind)"
  }
}
