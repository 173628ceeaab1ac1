// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import AudioUnitCore
public import CAudioToolbox
import CRealTime

/// Units and their connections, which can be edited together while they play.
///
/// The corresponding C type is `AUGraph`. A graph has its own topology, the nodes and connections
/// that the program describes; the state of the units is shared with its sub-graphs.
///
/// Every function may be called on any thread. A render thread never waits: it gets
/// `kAUGraphErr_CannotDoInCurrentContext` if another thread is changing the graph.
public final class ProcessingGraph: Disposable, @unchecked Sendable {
  let topology: Topology
  let state: GraphState

  private init(_ topology: Topology, _ state: GraphState) throws(AudioError) {
    self.topology = topology
    self.state = state
    topology.handle = try Handles.graphs.insert(self)
  }

  /// [control thread] Makes an empty graph. Its handle retains it until `dispose`.
  ///
  /// `place` is the place of its nodes in the text that describes it, if there is one.
  public static func make(place: String? = nil) throws(AudioError) -> ProcessingGraph {
    let topology = Topology(place: place)
    return try ProcessingGraph(topology, GraphState(topology))
  }

  /// Its handle in the C API.
  public var handle: OpaquePointer? { topology.handle }

  /// Whether another graph contains it.
  private var isSubgraph: Bool { topology !== state.topology }

  // MARK: Queries

  /// [any thread] Runs `body` under the lock. A render thread gets an error if it would have to
  /// wait.
  public func control<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError) -> Result
  {
    try state.turns.control(body)
  }

  /// [under the lock] The nodes, in the order in which they were added.
  public var nodes: NodeList { topology.nodes }

  /// [under the lock] The interactions, in the order in which they were made.
  public var interactions: InteractionList { topology.interactions }

  /// [under the lock] The node with a number.
  public func node(_ number: Int32) throws(AudioError) -> Node {
    try topology.nodes.numbered(number)
  }

  /// [under the lock] The interactions of a node.
  public func interactions(of number: Int32) throws(AudioError) -> [Interaction] {
    let node = try node(number)
    return interactions.filter { $0.concerns(node.number) }
  }

  /// [any thread] Nodes, connections with their formats, callbacks and state, as `CAShow` prints
  /// them.
  public func text() throws(AudioError) -> String {
    try control { () in GraphText(topology, state).text }
  }

  // MARK: Nodes

  /// [any thread] Adds a node; in an open graph its unit is made immediately.
  ///
  /// `place` is the node's place in the text that describes the graph, if there is one.
  public func addNode(_ description: AudioComponentDescription, place: String? = nil)
    throws(AudioError) -> Int32
  {
    for code in [
      description.componentType, description.componentSubType, description.componentManufacturer,
    ] where code == 0 {
      throw .invalidArgument.because(
        "the description needs a type, a subtype and a manufacturer; one of them is 0")
    }
    var unit: UnitInstance?
    defer { if let handle = unit?.handle { try? UnitInstance.dispose(handle) } }
    while true {
      let (node, isAdded) = try addNode(description, place, &unit)
      guard !isAdded else { return node.number }
      unit = try node.makeUnit()
    }
  }

  /// Adds a node, in an open graph with `unit`. Without that unit it adds nothing, and `isAdded` is
  /// false.
  private func addNode(
    _ description: AudioComponentDescription, _ place: String?, _ unit: inout UnitInstance?
  ) throws(AudioError) -> (node: Node, isAdded: Bool) {
    try control { () throws(AudioError) in
      let node = Node(topology.nodes.nextNumber, description, place: place)
      if state.stage >= .open, unit == nil, !(node.isOutput && topology.nodes.head != nil) {
        return (node, false)
      }
      node.unit = unit
      try append(node)
      unit = nil
      return (node, true)
    }
  }

  /// [any thread] Adds a node for a unit that exists. The graph must be open. It initialises and
  /// connects the unit as any other, but never disposes of it.
  public func addNode(borrowed unit: UnitInstance) throws(AudioError) -> Int32 {
    try control { () throws(AudioError) in
      guard state.stage >= .open else {
        throw .invalidAudioUnit.because("the graph is not open; call AUGraphOpen first")
      }
      let node = Node(topology.nodes.nextNumber, borrowed: unit)
      try append(node)
      return node.number
    }
  }

  /// [under the lock] Adds a node that has its unit, or waits for it in a graph that is not open.
  private func append(_ node: Node) throws(AudioError) {
    if node.isOutput, let head = topology.nodes.head {
      throw .outputNode.because("\(head.title) is already the graph's output; a graph has only one")
    }
    topology.nodes.append(node)
    state.units.add(node)
    // The node has no connections yet, so no unit has to change.
    state.countEdit()
    if node.isOutput { topology.notifies.add(to: node.unit) }
  }

  /// [any thread] Adds an empty sub-graph, which belongs to this one.
  public func addSubgraph() throws(AudioError) -> Int32 {
    try edit { () throws(AudioError) in
      let subgraph = try ProcessingGraph(Topology(), state)
      let node = Node(topology.nodes.nextNumber, .init(), subgraph: subgraph.topology)
      topology.nodes.append(node)
      state.units.add(node)
      return node.number
    }
  }

  /// [any thread] Removes a node and its interactions.
  public func removeNode(_ number: Int32) throws(AudioError) {
    try edit { () throws(AudioError) in
      let node = try node(number)
      if node.isOutput, state.isRunning {
        throw .outputNode.because("\(node.title) cannot be removed while the graph runs; stop it")
      }
      if node.isOutput || node.subgraph != nil, rt_current().pointee.depth > 0 {
        throw .cannotDoInCurrentContext
      }
      topology.remove(node)
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
      try topology.connect(source, output, to: destination, input, place: place)
    }
  }

  /// [any thread] Feeds an input of a node from a callback of the host, which replaces its current
  /// source. A null callback removes the source.
  public func setCallback(_ callback: AURenderCallbackStruct, _ number: Int32, _ input: UInt32)
    throws(AudioError)
  {
    try edit(input, of: number) { () throws(AudioError) in
      try topology.setCallback(callback, number, input)
    }
  }

  /// [any thread] Removes the source of an input.
  public func disconnect(_ number: Int32, _ input: UInt32) throws(AudioError) {
    try edit(input, of: number) { () throws(AudioError) in
      try topology.disconnect(number, input)
    }
  }

  /// [any thread] Removes every connection and callback.
  public func clearConnections() throws(AudioError) {
    try edit { () in topology.clearConnections() }
  }

  /// Runs an edit of the topology; before the graph is initialised, also updates the units.
  private func edit<Result>(_ body: () throws(AudioError) -> Result) throws(AudioError) -> Result {
    try control { () throws(AudioError) in
      let result = try body()
      state.recordEdit { state.updateOpenUnits() }
      return result
    }
  }

  /// Runs an edit that changes the source of one input only: other inputs are not visited.
  private func edit(
    _ input: UInt32, of number: Int32, _ body: () throws(AudioError) -> Void
  ) throws(AudioError) {
    try control { () throws(AudioError) in
      try body()
      state.recordEdit {
        guard state.stage == .open else { return }
        // An edit inside a sub-graph renumbers its inputs.
        if isSubgraph { state.updateOpenUnits() } else { state.updateInput(input, of: number) }
      }
    }
  }

  /// [any thread] Applies pending edits. With `waits` it returns when they are in effect, otherwise
  /// immediately. Returns whether nothing is pending.
  ///
  /// Invalid edits are refused together: the old graph continues to play, and the topology returns
  /// to the one that was last in effect, except that added nodes remain.
  public func update(waits: Bool) throws(AudioError) -> Bool { try state.update(waits: waits) }

  // MARK: Life

  /// The life of the units, which only the outermost graph can change.
  private func life() throws(AudioError) -> GraphLife {
    guard !isSubgraph else {
      throw .invalidArgument.because("a sub-graph has the state of the graph that contains it")
    }
    return GraphLife(state: state)
  }

  /// [any thread] Whether the units exist.
  public func isOpen() throws(AudioError) -> Bool { try control { () in state.stage >= .open } }
  /// [any thread] Whether the connected units are initialised.
  public func isInitialized() throws(AudioError) -> Bool {
    try control { () in state.stage >= .initialized }
  }
  /// [any thread] Whether the head plays.
  public func isPlaying() throws(AudioError) -> Bool { try control { () in state.isRunning } }

  /// [control thread] Makes the units, without initialising them.
  public func open() throws(AudioError) { try life().open() }

  /// [control thread] Checks the whole graph, applies the connections and initialises the connected
  /// units, sources first.
  public func initialize() throws(AudioError) { try life().initialize() }

  /// [control thread] Starts the head; does nothing if it is running.
  public func start() throws(AudioError) { try life().start() }

  /// [control thread] Stops the head; on return nothing is being rendered.
  public func stop() throws(AudioError) { try life().stop() }

  /// [control thread] Uninitialises the units; a running graph is stopped first.
  public func uninitialize() throws(AudioError) { try life().uninitialize() }

  /// [control thread] Disposes of the units; their descriptions stay.
  public func close() throws(AudioError) {
    let isInside = rt_current().pointee.depth > 0
    try life().close()
    if isInside { stopCallbacks() }
  }

  /// [any thread] Called when disposal begins; then its units call no functions of the program.
  public func stopCallbacks() {
    guard state.turns.lock.tryLock() else { return }
    defer { state.turns.lock.unlock() }
    for unit in topology.allNodes.compactMap(\.unit) {
      // Waits for running listeners, if waiting is allowed.
      AfterLocks.perform { unit.stopCallbacks() }
    }
  }

  /// [any thread] Disposes of the graph behind `handle`, its sub-graphs and units. If called from a
  /// callback, another thread finishes the disposal.
  public static func dispose(_ handle: OpaquePointer) throws(AudioError) {
    guard let entered = Handles.graphs.enter(handle) else {
      throw .stale("graph")
    }
    let isPart = entered.takeUnretainedValue().isSubgraph
    Handles.graphs.leave(handle)
    guard !isPart else {
      throw .invalidArgument.because("a sub-graph is disposed of with its node; remove the node")
    }
    try Handles.graphs.dispose(handle, kind: "graph")
  }

  /// [control thread] Disposes of the graph and its units; nothing uses them any more.
  public func finishDisposal() {
    try? state.turns.change(waits: .max) { () in
      if !isSubgraph { GraphLife(state: state).closeNow() }
      for node in topology.nodes { node.dispose() }
    }
  }

  // MARK: Options

  /// [any thread] Sets whether branches are aligned; in an initialised graph this takes effect with
  /// the next update.
  public func setCompensatesLatency(_ compensates: Bool) throws(AudioError) {
    try state.set(\.compensatesLatency, to: compensates)
  }

  /// [any thread] Whether branches are aligned.
  public func doesCompensateLatency() throws(AudioError) -> Bool {
    try control { () in state.options.compensatesLatency }
  }

  /// [any thread] Sets when edits fade, beginning with the next update.
  public func setEditFades(_ fades: EditFades) throws(AudioError) {
    try control { () in state.setEditFades(fades) }
  }

  /// [any thread] When edits fade.
  public func editFades() throws(AudioError) -> EditFades {
    try control { () in state.options.editFades }
  }

  /// [any thread] The latency in seconds of the longest path to the output node's input, as of the
  /// last update; 0 before the graph is initialised.
  public func latency() throws(AudioError) -> Double {
    try control { () in state.stage >= .initialized ? state.pathLatency : 0 }
  }

  /// [any thread] Sets how many threads may render, including the one that pulls. The default is 1;
  /// 0 means one for each processor, used only for branches that are large enough. In an
  /// initialised graph this takes effect with the next update.
  public func setThreadCount(_ count: Int) throws(AudioError) {
    guard (0...GraphOptions.threadLimit).contains(count) else {
      throw .invalidArgument.because("\(count) threads; expected 0 to \(GraphOptions.threadLimit)")
    }
    try state.set(\.threadCount, to: count)
  }

  /// [any thread] How many threads were requested.
  public func requestedThreadCount() throws(AudioError) -> Int {
    try control { () in state.options.threadCount }
  }

  // MARK: The head

  /// [any thread] Adds a function to call before and after each render of the head. It may be added
  /// before there is a head.
  public func addRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try control { () throws(AudioError) in
      // The list is complete before the call: a plug-in may edit it meanwhile.
      guard topology.notifies.add(notify) else { return }
      do throws(AudioError) { try topology.nodes.head?.unit?.addRenderNotify(notify) } catch {
        topology.notifies.remove(notify)
        throw error
      }
    }
  }

  /// [any thread] Removes a function; on return it is not being called.
  public func removeRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    try control { () throws(AudioError) in
      topology.notifies.remove(notify)
      guard let unit = topology.nodes.head?.unit else { return }
      // The running call may be waiting for a thread that queries the graph.
      try Lock.whileYielded { () throws(AudioError) in try unit.removeRenderNotify(notify) }
    }
  }

  /// [any thread] The processor load of the graph's renders, averaged over a tenth of a second:
  /// 0…1, or above 1 if rendering is too slow.
  public func load() throws(AudioError) -> Double {
    try control { () in state.head?.graphUnit.averageLoad ?? 0 }
  }

  /// [any thread] The largest load of a single render since the last call, or since the start.
  public func maximumLoadSinceLastCall() throws(AudioError) -> Double {
    try control { () in state.head?.graphUnit.maximumLoadSinceLastCall() ?? 0 }
  }
}

extension Handles {
  /// Processing graphs: `AUGraph`.
  public static let graphs = HandleTable<ProcessingGraph, AUGraph>(kind: 4, holdsUnits: true)
}
