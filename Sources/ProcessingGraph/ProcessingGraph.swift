// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioUnitCore
public import CAudioToolbox
import CRealTime

/// Units and their connections, which can be edited together while they play.
///
/// The corresponding C type is `AUGraph`. It stores the connections twice: as the description
/// (`nodes` and `interactions`), which every edit changes immediately, and as the sources that are
/// in effect in the units (`wired`). Before the graph is initialised, edits take effect
/// immediately; afterwards `update` applies them.
///
/// Every function may be called on any thread. A render thread never waits: it gets
/// `kAUGraphErr_CannotDoInCurrentContext` if another thread is changing the graph.
public final class ProcessingGraph: Disposable, @unchecked Sendable {
  /// The states of a graph.
  enum Stage: Int, Comparable {
    case created, open, initialized
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Its handle in the C API.
  public internal(set) var handle: OpaquePointer?
  /// The graph that this one is a node of.
  private(set) weak var parent: ProcessingGraph?
  /// Shared with sub-graphs.
  let lock: Lock
  /// The nodes, in the order in which they were added.
  public internal(set) var nodes: [Node] = []
  /// The interactions, in the order in which they were made.
  public internal(set) var interactions = InteractionList()
  var notifies: [RenderCallback] = []
  /// The error of the last `AUGraphUpdate` or `AUGraphInitialize`; `noErr` if it succeeded.
  var lastUpdateError = noErr
  var lastNumber: Int32 = 0
  /// Its place in the text that describes it; error messages about its nodes begin with it.
  let place: String?

  // Used in the outermost graph only:
  var stage = Stage.created
  /// The current sources of the units' inputs.
  var wired: [Wiring.Input: Wiring.Source] = [:]
  /// The delay lines of inputs, where branches are aligned.
  var delays: [Wiring.Input: DelayLine] = [:]
  var compensatesLatency = false
  /// How many threads may render; 0: one for each processor.
  var threadCount = 1
  /// The helper threads, while the graph is initialised.
  var team: RenderTeam?
  var pathLatency = 0.0
  /// The description that was last in effect, to which a refused update reverts.
  var appliedSnapshot: Snapshot?
  /// Work that waits until no slice of the old graph can still be rendering.
  var retirements: [Retirement] = []
  /// Every node whose unit or sub-graph exists, even if it is removed but not yet disposed of.
  var members: [Node] = []
  /// The units that the graph has initialised, sources first; and all connected units.
  var initialized: [UnitInstance] = []
  var participants: Set<ObjectIdentifier> = []
  /// Whether the description was changed since it last took effect.
  var isEdited = false
  /// Whether some parts of the description could not be applied to the units of an open graph.
  var hasUnappliedEdits = false
  var isStarted = false
  var isFinishScheduled = false
  /// The thread that is changing units in its turn; 0: none.
  var changingThread: UInt64 = 0
  /// Whether the description was edited during that turn, and the count of all edits.
  var wasEditedInTurn = false
  var editCount = 0

  init(parent: ProcessingGraph?, place: String? = nil) {
    self.parent = parent
    self.place = place
    lock = parent?.lock ?? Lock(isLendable: true)
  }

  /// [control thread] Makes an empty graph. Its handle retains it until `dispose`.
  ///
  /// `place` is the place of its nodes in the text that describes it, if there is one.
  public static func make(place: String? = nil) throws(AudioError) -> ProcessingGraph {
    let graph = ProcessingGraph(parent: nil, place: place)
    graph.handle = try Handles.graphs.insert(graph)
    return graph
  }

  /// The outermost graph, which has the state: this graph, or the one that contains it.
  var root: ProcessingGraph {
    var graph = self
    while let parent = graph.parent { graph = parent }
    return graph
  }

  /// The name of one of its nodes in error messages.
  func title(_ node: Int32) -> String { (try? self.node(node).title) ?? "node \(node)" }

  // MARK: Calls

  /// [any thread] Runs `body` under the lock. A render thread gets an error if it would have to
  /// wait.
  public func control<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError) -> Result
  {
    if rt_current().pointee.depth > 0 {
      guard lock.tryLock() else { throw .cannotDoInCurrentContext }
    } else {
      lock.lock()
    }
    defer { lock.unlock() }
    return try body()
  }

  /// [under the lock] The node with a number.
  public func node(_ number: Int32) throws(AudioError) -> Node {
    // The list is sorted by number.
    var (low, high) = (0, nodes.count)
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle].number < number { low = middle + 1 } else { high = middle }
    }
    guard low < nodes.count, nodes[low].number == number else {
      throw .nodeNotFound.because("the graph has no node \(number)")
    }
    return nodes[low]
  }

  /// [under the lock] The node that pulls the others, if there is one.
  public internal(set) var head: Node?

  // MARK: Nodes

  /// [any thread] Adds an empty sub-graph, which belongs to this one.
  public func addSubgraph() throws(AudioError) -> Int32 {
    try edit { () throws(AudioError) in
      let graph = ProcessingGraph(parent: self)
      graph.handle = try Handles.graphs.insert(graph)
      lastNumber += 1
      let node = Node(lastNumber, .init(), subgraph: graph)
      nodes.append(node)
      root.members.append(node)
      return lastNumber
    }
  }

  /// [any thread] Removes a node and its interactions.
  public func removeNode(_ number: Int32) throws(AudioError) {
    try edit { () throws(AudioError) in
      let node = try node(number)
      if node.isOutput, root.isRunning {
        throw .outputNode.because("\(node.title) cannot be removed while the graph runs; stop it")
      }
      if node.isOutput || node.subgraph != nil, rt_current().pointee.depth > 0 {
        throw .cannotDoInCurrentContext
      }
      if node.isOutput {
        removeNotifies(from: node)
        head = nil
      }
      nodes.removeAll { $0 === node }
      interactions.removeAll(of: number)
    }
  }

  // MARK: Interactions

  /// [any thread] Feeds an input of one node from an output of another.
  ///
  /// `place` is the connection's place in the text that describes the graph, if there is one.
  public func connect(
    _ source: Int32, _ output: UInt32, to destination: Int32, _ input: UInt32,
    place: String? = nil
  ) throws(AudioError) {
    try edit(input, of: destination) { () throws(AudioError) in
      let (from, to) = (try node(source), try node(destination))
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
      _ = (try node(source), try node(destination))
      if let existing = interactions.feeding(destination, input) {
        throw refused(
          "that input is already fed by \(text(existing.source)); disconnect it first")
      }
      if let existing = interactions.fed(from: source, output) {
        throw refused(
          "that output feeds input \(existing.bus) of \(title(existing.node)) already; "
            + "use a splitter for several outputs")
      }
      interactions.set(
        .init(.connection(node: source, bus: output), to: destination, input, place: place))
    }
  }

  /// [any thread] Feeds an input of a node from a callback of the host, which replaces its current
  /// source. A null callback removes the source.
  public func setCallback(_ callback: AURenderCallbackStruct, _ number: Int32, _ input: UInt32)
    throws(AudioError)
  {
    try edit(input, of: number) { () throws(AudioError) in
      try checkBus(try node(number), kAudioUnitScope_Input, input)
      _ = try node(number)
      guard callback.inputProc != nil else { return interactions.remove(feeding: number, input) }
      interactions.set(Interaction(.callback(callback), to: number, input))
    }
  }

  /// [any thread] Removes the source of an input.
  public func disconnect(_ number: Int32, _ input: UInt32) throws(AudioError) {
    try edit(input, of: number) { () throws(AudioError) in
      let node = try node(number)
      guard interactions.feeding(number, input) != nil else {
        throw .invalidConnection.because("nothing feeds input \(input) of \(node.title)")
      }
      interactions.remove(feeding: number, input)
    }
  }

  /// [any thread] Removes every connection and callback.
  public func clearConnections() throws(AudioError) {
    try edit { () in interactions.removeAll() }
  }

  /// Refuses a bus that does not exist, if the graph is open.
  private func checkBus(_ node: Node, _ scope: AudioUnitScope, _ bus: UInt32) throws(AudioError) {
    guard let unit = node.unit else { return }
    let count = try unit.elementCount(scope)
    guard bus < count else {
      let side = scope == kAudioUnitScope_Input ? "input" : "output"
      throw .invalidConnection.because(
        "\(node.title) has no \(side) \(bus); it has \(count) "
          + "(kAudioUnitProperty_ElementCount)")
    }
  }

  private func text(_ source: Interaction.Source) -> String {
    switch source {
    case .connection(let node, let bus): "output \(bus) of \(title(node))"
    case .callback: "a callback"
    }
  }

  /// Runs an edit of the description; before the graph is initialised, also updates the units.
  private func edit<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError) -> Result {
    try control { () throws(AudioError) in
      let result = try body()
      recordEdit { root.updateUnits() }
      return result
    }
  }

  /// Runs an edit that changes the source of one input only: other inputs are not visited.
  private func edit(
    _ input: UInt32, of number: Int32, _ body: () throws(AudioError) -> Void
  ) throws(AudioError) {
    try control { () throws(AudioError) in
      try body()
      recordEdit { if root.stage == .open { updateInput(input, of: number) } }
    }
  }
}
