// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioUnitCore
public import CAudioToolbox
import CRealTime

/// Units and their connections, edited as a whole while they play.
///
/// The corresponding C type is `AUGraph`. Two pictures of the connections are kept: the one that is
/// described by `nodes` and `interactions`, which every edit changes at once, and the one that is in
/// effect in the units (`wired`). While the graph is not initialised the second follows the first at
/// once; afterwards with `update`.
///
/// Every function is for any thread. A render thread never waits: where another thread changes the
/// graph at that moment it gets `kAUGraphErr_CannotDoInCurrentContext`.
public final class ProcessingGraph: Disposable, @unchecked Sendable {
  /// What exists so far.
  enum Stage: Int, Comparable {
    case created, open, initialized
    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// The handle by which C knows it.
  public internal(set) var handle: OpaquePointer?
  /// The graph that this one is a node of.
  private(set) weak var parent: ProcessingGraph?
  /// Shared with sub-graphs.
  let lock: Lock
  /// In the order in which they were added.
  public internal(set) var nodes: [Node] = []
  /// In the order in which they were made.
  public internal(set) var interactions = InteractionList()
  var notifies: [RenderCallback] = []
  /// What `AUGraphUpdate` or `AUGraphInitialize` refused last; `noErr` when it did not.
  var lastUpdateError = noErr
  var lastNumber: Int32 = 0
  /// Where its nodes stand in the text that it was made of; explanations begin with it.
  let place: String?

  // Of the outermost graph alone:
  var stage = Stage.created
  /// What the units' inputs are fed by now.
  var wired: [Wiring.Input: Wiring.Source] = [:]
  /// What holds inputs back, where branches are aligned.
  var delays: [Wiring.Input: DelayLine] = [:]
  var compensatesLatency = false
  /// How many threads may render; 0: as many as there are processors.
  var threadCount = 1
  /// Those that help, while the graph is initialised.
  var team: RenderTeam?
  var pathLatency = 0.0
  /// What an update that is refused goes back to: as it was when the pictures agreed last.
  var agreed: Snapshot?
  /// What waits until no slice of the old graph can be under way.
  var retirements: [Retirement] = []
  /// Every node whose unit or sub-graph is known to exist.
  var members: [Node] = []
  /// Units that the graph has initialised, sources first, and all that take part in a connection.
  var initialized: [UnitInstance] = []
  var participants: Set<ObjectIdentifier> = []
  /// Whether the description was changed since it came into effect.
  var isEdited = false
  /// Whether the units of an open graph could not follow the description everywhere.
  var hasUnsettled = false
  var isStarted = false
  var isFinishing = false
  /// The thread whose turn it is to change units; 0: none.
  var changer: UInt64 = 0
  /// Whether the description was edited during that turn, and how often it was at all.
  var followsAgain = false
  var editCount = 0

  init(parent: ProcessingGraph?, place: String? = nil) {
    self.parent = parent
    self.place = place
    lock = parent?.lock ?? Lock(isLendable: true)
  }

  /// [control thread] An empty graph with a handle, which keeps it until `dispose`.
  ///
  /// `place` is where its nodes stand in the text that it is made of, if it is.
  public static func make(place: String? = nil) throws(AudioError) -> ProcessingGraph {
    let graph = ProcessingGraph(parent: nil, place: place)
    graph.handle = try Handles.graphs.insert(graph)
    return graph
  }

  /// The graph that has the states and the units: itself, or the one it is part of.
  var root: ProcessingGraph {
    var graph = self
    while let parent = graph.parent { graph = parent }
    return graph
  }

  /// How explanations call a node of it.
  func title(_ node: Int32) -> String { (try? self.node(node).title) ?? "node \(node)" }

  // MARK: Calls

  /// [any thread] Runs `body` alone. A render thread gets an error where it would have to wait.
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

  /// [under the lock] A node by its number.
  public func node(_ number: Int32) throws(AudioError) -> Node {
    // Numbers rise along the list.
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
  /// `place` is where that stands in the text that the graph is made of, if it is.
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
      // Others may have edited while plug-ins were asked for their buses.
      _ = (try node(source), try node(destination))
      if let taken = interactions.feeding(destination, input) {
        throw refused(
          "that input is already fed by \(text(taken.source)); disconnect it first")
      }
      if let taken = interactions.coming(from: source, output) {
        throw refused(
          "that output feeds input \(taken.bus) of \(title(taken.node)) already; "
            + "use a splitter for several outputs")
      }
      interactions.put(
        .init(.connection(node: source, bus: output), to: destination, input, place: place))
    }
  }

  /// [any thread] Feeds an input of a node from a function of the host's, in the place of whatever
  /// feeds it. A null function takes that away.
  public func setCallback(_ callback: AURenderCallbackStruct, _ number: Int32, _ input: UInt32)
    throws(AudioError)
  {
    try edit(input, of: number) { () throws(AudioError) in
      try checkBus(try node(number), kAudioUnitScope_Input, input)
      _ = try node(number)
      guard callback.inputProc != nil else { return interactions.remove(feeding: number, input) }
      interactions.put(Interaction(.callback(callback), to: number, input))
    }
  }

  /// [any thread] Takes away what feeds an input.
  public func disconnect(_ number: Int32, _ input: UInt32) throws(AudioError) {
    try edit(input, of: number) { () throws(AudioError) in
      let node = try node(number)
      guard interactions.feeding(number, input) != nil else {
        throw .invalidConnection.because("nothing feeds input \(input) of \(node.title)")
      }
      interactions.remove(feeding: number, input)
    }
  }

  /// [any thread] Takes away every connection and callback.
  public func clearConnections() throws(AudioError) {
    try edit { () in interactions.removeAll() }
  }

  /// In an open graph a bus that is not there is refused at once.
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

  /// Runs an edit of the description; before the graph is initialised the units follow at once.
  private func edit<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError) -> Result {
    try control { () throws(AudioError) in
      let result = try body()
      noteEdit { root.follow() }
      return result
    }
  }

  /// The same where nothing changes but what feeds one input: the rest is not looked at.
  private func edit(
    _ input: UInt32, of number: Int32, _ body: () throws(AudioError) -> Void
  ) throws(AudioError) {
    try control { () throws(AudioError) in
      try body()
      noteEdit { if root.stage == .open { followInput(input, of: number) } }
    }
  }
}
