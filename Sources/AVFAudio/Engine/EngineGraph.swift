// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// The graph of an engine: gives the units the layout that follows from the connections.
///
/// A layout is compared with the one in effect, and only what differs is changed. All changes take
/// effect together, between two renders, and fade on a device. Units whose format changes while they
/// are initialised are first disconnected, which uninitialises them; their branch is silent
/// meanwhile. If the head is one of them, or does not run, the whole graph is uninitialised, until
/// the caller initialises it.
final class EngineGraph {  // under the engine's lock
  let graph: AUGraph
  private var nodes: [AudioUnit: AUNode] = [:]
  private var layout = GraphLayout()
  private(set) var isInitialized = false
  /// The unit that pulls the others.
  private(set) var head: NodeUnit?

  init() {
    var graph: AUGraph?
    let made = orEnd {
      try EngineError.check(NewAUGraph(&graph), "AVAudioEngine.init()")
      guard let graph else { throw EngineError.failure("AVAudioEngine.init()", kAudio_ParamError) }
      try EngineError.check(AUGraphOpen(graph), "AVAudioEngine.init()")
      return graph
    }
    self.graph = made
  }

  deinit { DisposeAUGraph(graph) }

  /// The helpers that exist.
  var helpers: [GraphLayout.Helper: NodeUnit] { layout.helpers }

  // MARK: Life

  /// Whether the head runs.
  var isRunning: Bool {
    var isRunning = false
    return AUGraphIsRunning(graph, &isRunning) == noErr && isRunning
  }

  /// Initialises all connected units.
  func initialize(_ call: String) throws {
    guard !isInitialized else { return }
    try EngineError.check(AUGraphInitialize(graph), call)
    isInitialized = true
  }

  /// Starts the head.
  func start(_ call: String) throws { try EngineError.check(AUGraphStart(graph), call) }

  /// Stops the head; on return nothing is being rendered.
  func stop() { AUGraphStop(graph) }

  /// Initialises, and starts if it ran, what an edit has uninitialised.
  func resume(_ ran: Bool, _ call: String) throws {
    try initialize(call)
    if ran, !isRunning { try start(call) }
  }

  /// Clears the history of the head, of the helpers, and of other units.
  func reset(_ others: [NodeUnit]) {
    for unit in Array(helpers.values) + others + [head].compactMap(\.self) {
      AudioUnitReset(unit.handle, kAudioUnitScope_Global, 0)
    }
  }

  /// Frees what rendering needs.
  func uninitialize() {
    AUGraphUninitialize(graph)
    isInitialized = false
  }

  /// Sets the unit that pulls the others. The graph must be uninitialised.
  func setHead(_ unit: NodeUnit?, _ call: String) throws {
    guard head !== unit else { return }
    if let old = head?.handle, let node = nodes.removeValue(forKey: old) {
      AUGraphRemoveNode(graph, node)
      layout.sources = layout.sources.filter { port, source in
        if case .output(let from) = source, from.unit == old { return false }
        return port.unit != old
      }
    }
    head = unit
    if let unit { _ = try node(unit.handle, call) }
  }

  // MARK: Layouts

  /// Gives the units a layout. If that fails, the caller applies the old one again.
  func apply(_ new: GraphLayout, _ call: String) throws {
    let changing = changingUnits(new)
    guard !changing.isEmpty else { return try edit(to: new, call) }
    if isInitialized, !isRunning || changing.contains(where: { $0 == head?.handle }) {
      uninitialize()
    }
    try edit(to: between(new, changing), call)
    try edit(to: new, call)
  }

  /// Frees the units and nodes of the layout in effect, while the graph is uninitialised.
  func clear() { try? edit(to: GraphLayout(), "") }

  /// The layout in effect without the connections of units that change.
  private func between(_ new: GraphLayout, _ changing: Set<AudioUnit>) -> GraphLayout {
    var between = new
    between.sources = layout.sources.filter { port, source in
      if case .output(let from) = source, changing.contains(from.unit) { return false }
      return new.sources[port] == source && !changing.contains(port.unit)
    }
    between.settings = []
    between.busCounts = []
    between.helpers.merge(layout.helpers) { new, _ in new }
    between.nodes += layout.nodes
    return between
  }

  /// The units whose formats or numbers of buses differ from those of a layout.
  private func changingUnits(_ new: GraphLayout) -> Set<AudioUnit> {
    let formats = new.settings.filter {
      $0.unit.format($0.scope, $0.bus)?.hasSamples(of: $0.format) != true
    }
    let counts = new.busCounts.filter { $0.unit.busCount($0.scope) != $0.count }
    return Set(formats.map(\.unit.handle) + counts.map(\.unit.handle))
      .intersection(layout.units.union([head?.handle].compactMap(\.self)))
  }

  /// Changes what differs, in one update. If that fails, the next edit makes all connections again;
  /// those in effect stay until then.
  private func edit(to new: GraphLayout, _ call: String) throws {
    do { try change(layout, to: new, call) } catch {
      AUGraphClearConnections(graph)
      layout.sources = [:]
      throw error
    }
    layout = new
  }

  private func change(_ old: GraphLayout, to new: GraphLayout, _ call: String) throws {
    for port in old.sources.keys where new.sources[port] != old.sources[port] {
      guard let node = nodes[port.unit] else { continue }
      try EngineError.check(AUGraphDisconnectNodeInput(graph, node, port.bus), call)
    }
    for (unit, scope, count) in new.busCounts where unit.busCount(scope) != count {
      try EngineError.check(
        unit.set(kAudioUnitProperty_ElementCount, scope, 0, UInt32(count)), call)
    }
    for setting in new.settings {
      try EngineError.check(
        setting.unit.setFormat(setting.format, setting.scope, setting.bus), call)
    }
    for (port, source) in new.sources where source != old.sources[port] {
      try connect(source, to: port, call)
    }
    let used = new.units
    for (unit, node) in nodes where !used.contains(unit) && unit != head?.handle {
      AUGraphRemoveNode(graph, node)
      nodes[unit] = nil
    }
    if isInitialized { try EngineError.check(AUGraphUpdate(graph, nil), call) }
  }

  private func connect(_ source: GraphLayout.Source, to port: GraphLayout.Port, _ call: String)
    throws
  {
    let to = try node(port.unit, call)
    switch source {
    case .output(let from):
      let source = try node(from.unit, call)
      try EngineError.check(
        AUGraphConnectNodeInput(graph, source, from.bus, to, port.bus), call)
    case .feed(let feed):
      var callback = feed.callback
      try EngineError.check(AUGraphSetNodeInputCallback(graph, to, port.bus, &callback), call)
    }
  }

  private func node(_ unit: AudioUnit, _ call: String) throws -> AUNode {
    if let node = nodes[unit] { return node }
    var node: AUNode = 0
    try EngineError.check(AUGraphAddBorrowedUnit(graph, unit, &node), call)
    nodes[unit] = node
    return node
  }
}

extension NodeUnit {
  /// The number of buses of a scope.
  func busCount(_ scope: AudioUnitScope) -> Int {
    Int(value(kAudioUnitProperty_ElementCount, scope, 0 as UInt32) ?? 0)
  }
}
