// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// The nodes of a graph or a sub-graph, and what feeds their inputs: what the program describes.
///
/// Every edit changes it immediately; an update gives the units what it says. The graph's lock
/// guards it.
public final class Topology {
  /// The handle of the graph in the C API.
  public internal(set) var handle: OpaquePointer?
  public internal(set) var nodes = NodeList()
  public private(set) var interactions = InteractionList()
  var notifies = HeadNotifies()
  /// Its place in the text that describes it; error messages about its nodes begin with it.
  let place: String?

  init(place: String? = nil) { self.place = place }

  /// The name of one of its nodes in error messages.
  private func title(_ number: Int32) -> String {
    (try? nodes.numbered(number).title) ?? "node \(number)"
  }

  /// Every node, including those of sub-graphs.
  var allNodes: [Node] {
    nodes.flatMap { [$0] + ($0.subgraph?.allNodes ?? []) }
  }

  /// Removes a node and its interactions.
  func remove(_ node: Node) {
    if node.isOutput { notifies.remove(from: node.unit) }
    nodes.remove(node)
    interactions.removeAll(of: node.number)
  }

  /// Removes the nodes whose units belong to others; returns whether there were any.
  func removeBorrowedNodes() -> Bool {
    let borrowed = nodes.filter { !$0.ownsUnit }
    for node in borrowed { remove(node) }
    let inside = nodes.compactMap(\.subgraph).filter { $0.removeBorrowedNodes() }
    return !borrowed.isEmpty || !inside.isEmpty
  }

  /// Returns to the nodes and interactions of an earlier time, except that added nodes remain.
  func revert(to nodes: NodeList, _ interactions: InteractionList) {
    self.nodes.revert(to: nodes)
    self.interactions = interactions
  }

  /// Adds the notifications to the heads of this graph and its sub-graphs.
  func addNotifies() {
    notifies.add(to: nodes.head?.unit)
    for node in nodes { node.subgraph?.addNotifies() }
  }

  // MARK: Interactions

  /// Feeds an input of one node from an output of another.
  func connect(
    _ source: Int32, _ output: UInt32, to destination: Int32, _ input: UInt32, place: String?
  ) throws(AudioError) {
    let (from, to) = (try nodes.numbered(source), try nodes.numbered(destination))
    func refused(_ reason: String) -> AudioError {
      .invalidConnection.because(
        "\(from.title), output \(output), to \(to.title), input \(input): \(reason)")
    }
    // An I/O unit may play what it captures.
    guard from !== to || (from.isOutput && output == 1 && input == 0) else {
      throw refused("a node cannot feed itself")
    }
    try checkBus(from, kAudioUnitScope_Output, output)
    try checkBus(to, kAudioUnitScope_Input, input)
    // Other threads may have edited while plug-ins were queried for their buses.
    _ = (try nodes.numbered(source), try nodes.numbered(destination))
    if let existing = interactions.feeding(destination, input) {
      throw refused("that input is already fed by \(text(existing.source)); disconnect it first")
    }
    if let existing = interactions.fed(from: source, output) {
      throw refused(
        "that output feeds input \(existing.bus) of \(title(existing.node)) already; "
          + "use a splitter for several outputs")
    }
    interactions.set(
      .init(.connection(node: source, bus: output), to: destination, input, place: place))
  }

  /// Feeds an input of a node from a callback of the host; a null callback removes the source.
  func setCallback(_ callback: AURenderCallbackStruct, _ number: Int32, _ input: UInt32)
    throws(AudioError)
  {
    try checkBus(try nodes.numbered(number), kAudioUnitScope_Input, input)
    _ = try nodes.numbered(number)
    guard callback.inputProc != nil else { return interactions.remove(feeding: number, input) }
    interactions.set(Interaction(.callback(callback), to: number, input))
  }

  /// Removes the source of an input.
  func disconnect(_ number: Int32, _ input: UInt32) throws(AudioError) {
    let node = try nodes.numbered(number)
    guard interactions.feeding(number, input) != nil else {
      throw .invalidConnection.because("nothing feeds input \(input) of \(node.title)")
    }
    interactions.remove(feeding: number, input)
  }

  /// Removes every connection and callback.
  func clearConnections() { interactions.removeAll() }

  /// Refuses a bus that does not exist, if the graph is open.
  private func checkBus(_ node: Node, _ scope: AudioUnitScope, _ bus: UInt32) throws(AudioError) {
    guard let unit = node.unit else { return }
    let count = try unit.elementCount(scope)
    guard bus < count else {
      let direction = scope == kAudioUnitScope_Input ? "input" : "output"
      throw .invalidConnection.because(
        "\(node.title) has no \(direction) \(bus); it has \(count) "
          + "(kAudioUnitProperty_ElementCount)")
    }
  }

  private func text(_ source: Interaction.Source) -> String {
    switch source {
    case .connection(let node, let bus): "output \(bus) of \(title(node))"
    case .callback: "a callback"
    }
  }
}
