// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import Synchronization

/// The state of an engine: its nodes and connections, its graph, and whether it runs.
///
/// Edits change the connections; while the graph is initialised, they also change the graph, or
/// nothing. Everything is checked before it changes. The lock is not held while a node or the program
/// is told of something.
final class EngineCore: @unchecked Sendable {  // guarded by `lock`
  /// Stopped; prepared: rendering needs nothing more; running; paused.
  enum State { case stopped, prepared, running, paused }

  /// To the C functions an engine is a program, which calls them with its own lock held; the
  /// library's `Lock` may not be held there.
  let lock = NSRecursiveLock()
  let io = EngineIO()
  let manual = ManualRendering()
  /// What a real-time thread uses of both.
  let realTime: (manual: Unmanaged<ManualRendering>, ends: ManualEnds)
  let graph = EngineGraph()
  let music = EngineSequence()
  let midi = EngineMIDI()
  /// The graph behind its nodes, which lives as long as the core.
  var audioGraph: AUGraph { graph.graph }
  private(set) weak var engine: AnyObject?
  private var nodes = NodeSet()
  private(set) var table = ConnectionTable() { didSet { known.set(table) } }
  /// A copy of the connections for queries: a render may ask while the lock waits for it.
  private let known = Guarded(ConnectionTable())
  private(set) var state = State.stopped
  let runs = Atomic(false)
  var shutsDown = false
  /// The formats of the device when the engine was prepared.
  private(set) var deviceFormats: [AVAudioFormat] = []
  /// Calls for changes of the device.
  let worker = SerialWorker(name: "audio engine")

  init() { realTime = (.passUnretained(manual), io.manualEnds) }

  /// [once, by the engine] Begins.
  func begin(_ engine: AnyObject) {
    self.engine = engine
    io.formatChanged = { [weak self] in
      self?.worker.perform { [weak self] in self?.deviceChanged() }
    }
  }

  /// [any thread] Whether the engine runs.
  var isRunning: Bool { runs.load(ordering: .acquiring) }

  /// [any thread] Whether frames arrive without a call of offline rendering.
  var rendersByItself: Bool { isRunning && !manual.isOffline }

  /// The nodes that are attached.
  var attachedNodes: [any GraphNode] { lock.withLock { nodes.all } }

  /// What nodes ask.
  var queries: EngineQueries {
    EngineQueries(table: known.withLock { $0 }, io: io, manual: manual)
  }

  // MARK: Nodes

  /// Attaches a node. Attaching it again does nothing.
  func attach(_ node: any GraphNode) throws {
    try lock.withLock {
      guard node.attach(to: engine) else {
        throw EngineError.refusal(
          "AVAudioEngine.attach(_:)", "\(type(of: node)) is attached to another engine",
          mend: "detach it there first")
      }
      nodes.insert(node)
    }
  }

  /// Detaches a node and its connections.
  func detach(_ node: any GraphNode) throws {
    let call = "AVAudioEngine.detach(_:)"
    try lock.withLock {
      try rules.checkAttached(node, call)
      guard !node.role.isDevice else {
        throw EngineError.refusal(
          call, "the input and the output node belong to their engine", mend: "disconnect it")
      }
      try edit(call, of: [node] + fed(by: node)) {
        $0.remove { $0.enters(node) || $0.leaves(node) }
      }
      midi.forget(node.unit)
      if graph.isInitialized { try midi.prepare(call) }
      nodes.remove(node)
      node.removeOwner()
    }
    node.mixing.setTargets([])
    node.engineChanged(.detached)
    connectionsChanged()
  }

  /// Forgets all nodes, at the end of the engine.
  func end() {
    stop()
    let nodes = lock.withLock {
      midi.remove { _, _ in true }
      defer { (self.nodes, table) = (NodeSet(), ConnectionTable()) }
      return self.nodes.all
    }
    io.end()
    for node in nodes {
      node.removeOwner()
      node.mixing.setTargets([])
      node.engineChanged(.detached)
    }
  }

  /// [under the lock] What connections have to obey.
  private var rules: ConnectionRules {
    ConnectionRules(nodes: nodes, table: table, isManual: manual.isOn)
  }

  // MARK: Connections

  /// Makes a connection in place of what was on both buses.
  func connect(_ connection: NodeConnection, _ call: String) throws {
    try lock.withLock {
      try rules.check(connection, call)
      let replaced = fed(by: connection.source, connection.output)
      try edit(call, of: [connection.destination] + replaced) { $0.connect(connection) }
    }
    connectionsChanged()
  }

  /// Connects an output to exactly these inputs.
  func connect(
    _ source: any GraphNode, _ bus: Int, to connections: [NodeConnection], _ call: String
  ) throws {
    try lock.withLock {
      for connection in connections { try rules.check(connection, call) }
      try edit(call, of: connections.map(\.destination) + fed(by: source, bus)) { table in
        table.remove { $0.leaves(source, bus) }
        for connection in connections { table.add(connection) }
      }
    }
    connectionsChanged()
  }

  /// Removes what feeds an input, or all inputs.
  func disconnectInput(_ node: any GraphNode, _ bus: Int?, _ call: String) throws {
    try lock.withLock {
      try rules.checkAttached(node, call)
      try edit(call, of: [node]) { $0.remove { $0.enters(node, bus) } }
    }
    connectionsChanged()
  }

  /// Removes what an output feeds, or all outputs.
  func disconnectOutput(_ node: any GraphNode, _ bus: Int?, _ call: String) throws {
    try lock.withLock {
      try rules.checkAttached(node, call)
      try edit(call, of: fed(by: node, bus)) { $0.remove { $0.leaves(node, bus) } }
    }
    connectionsChanged()
  }

  /// [under the lock] The nodes that an output feeds, or all outputs.
  private func fed(by node: any GraphNode, _ bus: Int? = nil) -> [any GraphNode] {
    table.list.filter { $0.leaves(node, bus) }.map(\.destination)
  }

  /// [under the lock] Changes the connections, and the graph if it is initialised; or nothing.
  /// `destinations` are the nodes whose inputs change.
  func edit(
    _ call: String, of destinations: [any GraphNode], _ body: (inout ConnectionTable) -> Void
  ) throws {
    let old = table
    var new = table
    body(&new)
    uninitializeIfUnprepared()
    guard graph.isInitialized else {
      table = new
      return graph.clear()
    }
    if !manual.isOn, !io.captures { try rules.checkCapture(new, call) }
    if state == .running { try rules.checkRunningEdit(destinations, call) }
    let ran = graph.isRunning
    table = new
    nodes.applyMixing(table)
    do {
      try graph.apply(layout(call), call)
      try midi.prepare(call)
      if state == .running { try graph.resume(ran, call) }
    } catch {
      table = old
      nodes.applyMixing(table)
      try? graph.apply(layout(call), call)
      try? midi.prepare(call)
      if state == .running { try? graph.resume(ran, call) }
      throw error
    }
  }

  /// Checks that the nodes are attached, and changes MIDI connections.
  func editMIDI(
    _ nodes: [any GraphNode], _ call: String, _ body: (EngineMIDI) throws -> Void
  ) throws {
    try lock.withLock {
      for node in nodes { try rules.checkAttached(node, call) }
      try body(midi)
      if graph.isInitialized { try midi.prepare(call) }
    }
  }

  /// [under the lock] The layout of the current connections.
  private func layout(_ call: String) throws -> GraphLayout {
    try rules.checkSplits(call)
    return LayoutBuilder(table, helpers: graph.helpers, io, isManual: manual.isOn).build()
  }

  /// Tells the nodes that connections or formats have changed.
  func connectionsChanged() {
    let nodes = lock.withLock {
      self.nodes.setMixingTargets(table)
      io.pump.setSinks(table.sinks)
      followShutdown()
      return self.nodes.all
    }
    let isOffline = manual.isOffline
    for node in nodes {
      node.unit?.setOffline(isOffline)
      node.taps.follow(node)
      node.engineChanged(.connectionsChanged)
    }
  }

  // MARK: Life

  /// Allocates what rendering needs.
  func prepare(_ call: String) throws {
    try lock.withLock { try prepareUnderLock(call) }
    connectionsChanged()
  }

  /// [under the lock] Frees a graph that does not run, and whose device lacks an end: its node was
  /// used for the first time since.
  private func uninitializeIfUnprepared() {
    let isPrepared = state == .running || manual.isOn || io.isPrepared(for: nodes)
    if graph.isInitialized, !isPrepared { graph.uninitialize() }
  }

  private func prepareUnderLock(_ call: String) throws {
    uninitializeIfUnprepared()
    guard !graph.isInitialized else { return }
    guard nodes.all.contains(where: \.role.isDevice) else {
      throw EngineError.refusal(
        call, "the engine has no input or output node",
        mend: "use inputNode, outputNode or mainMixerNode first", kAudioUnitErr_NoConnection)
    }
    let isManual = manual.isOn
    try ChainRules(table: table, isManual: isManual).check(call)
    if !isManual { try io.prepare(nodes, call) }
    deviceFormats = isManual ? [] : io.deviceFormats
    let head = io.head(isManual: isManual)
    try graph.setHead(head, call)
    // A main mixer that comes later finds its format.
    if isManual || io.plays, !table.list.contains(where: \.destination.role.isOutput),
      let format = queries.headFormat
    {
      try EngineError.check(head.setFormat(format, kAudioUnitScope_Input, 0), call)
    }
    do {
      try graph.apply(layout(call), call)
      try midi.prepare(call)
      try graph.initialize(call)
    } catch {
      graph.uninitialize()
      midi.uninitialize()
      throw error
    }
    if state == .stopped { state = .prepared }
  }

  /// Starts, or continues after a pause. If it runs already, it does nothing.
  func start(_ call: String) throws {
    // Taps and sinks get the first frames too.
    if !isRunning { try prepare(call) }
    let nodes = try lock.withLock {
      guard state != .running || !graph.isRunning else { return [] as [any GraphNode] }
      try prepareUnderLock(call)
      try graph.start(call)
      state = .running
      runs.store(true, ordering: .releasing)
      return self.nodes.all
    }
    guard !nodes.isEmpty else { return }
    io.endWatch()
    for node in nodes {
      node.taps.wake()
      node.engineChanged(.started)
    }
    lock.withLock { followShutdown() }
  }

  /// Stops the cycles, and keeps what rendering needs.
  func pause() {
    let nodes = lock.withLock {
      guard state == .running else { return [] as [any GraphNode] }
      runs.store(false, ordering: .releasing)
      graph.stop()
      state = .paused
      return self.nodes.all
    }
    for node in nodes { node.engineChanged(.paused) }
    if !nodes.isEmpty { watchDevice() }
  }

  /// Stops the cycles, and frees what rendering needs.
  func stop() {
    let nodes = lock.withLock {
      runs.store(false, ordering: .releasing)
      guard state != .stopped else { return [] as [any GraphNode] }
      graph.stop()
      graph.uninitialize()
      midi.uninitialize()
      state = .stopped
      return self.nodes.all
    }
    io.endWatch()
    for node in nodes { node.engineChanged(.stopped) }
  }

  /// Resets all nodes, and the time of manual rendering.
  func reset() {
    let nodes = attachedNodes
    for node in nodes { node.reset() }
    lock.withLock {
      graph.reset([io.manualInput.unit])
      midi.restart()
    }
    manual.resetTime()
    for node in nodes { node.engineChanged(.reset) }
  }
}
