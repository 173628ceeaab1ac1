// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime

/// The life of a graph: created, open, initialised, started, and back.
struct GraphLife {
  let state: GraphState

  /// Units that were made for nodes but are not assigned to them yet.
  // With the node: while it lives, no other node has its identifier.
  private typealias Made = [ObjectIdentifier: (node: Node, unit: UnitInstance)]

  // MARK: Forward

  /// [control thread] Makes the units. They are made while the graph's lock is free: a plug-in that
  /// opens may query the graph on any thread.
  func open() throws(AudioError) {
    try change { _ in }  // fails if the stage cannot change now
    var made: Made = [:]
    // Nodes may have been removed meanwhile, or another thread may have opened the graph.
    defer {
      for (_, unit) in made.values {
        if let handle = unit.handle { try? UnitInstance.dispose(handle) }
      }
    }
    var missing = try open(with: &made)
    while !missing.isEmpty {
      for node in missing { made[ObjectIdentifier(node)] = (node, try node.makeUnit()) }
      missing = try open(with: &made)
    }
  }

  /// Opens the graph if there is a unit for each node, and removes from `made` those that it uses.
  /// Returns the nodes for which a unit is missing; none if the graph is now open.
  private func open(with made: inout Made) throws(AudioError) -> [Node] {
    try state.turns.change { () throws(AudioError) in
      guard state.stage == .created else { return [] }
      let nodes = state.topology.allNodes.filter { $0.subgraph == nil }
      let missing = nodes.filter { made[ObjectIdentifier($0)] == nil }
      guard missing.isEmpty else { return missing }
      for node in nodes { node.unit = made.removeValue(forKey: ObjectIdentifier(node))?.unit }
      state.stage = .open
      state.topology.addNotifies()
      state.updateOpenUnits()
      return []
    }
  }

  /// [control thread] Initialises the connected units.
  func initialize() throws(AudioError) {
    try change { (state) throws(AudioError) in
      guard state.stage < .initialized else { return }
      guard state.stage == .open else {
        throw .invalidAudioUnit.because("the graph is not open; call AUGraphOpen first")
      }
      try state.updateAllUnits()
      state.stage = .initialized
      state.swaps.waitForRender()
    }
  }

  /// [control thread] Starts the head; does nothing if it is running.
  func start() throws(AudioError) {
    try change { (state) throws(AudioError) in
      guard state.stage >= .initialized else {
        throw .uninitialized.because("initialize the graph before you start it")
      }
      guard let head = state.topology.nodes.head, let unit = head.unit else {
        throw .outputNode.because("the graph has no output node").at(state.topology.place)
      }
      guard !state.isRunning else { return }
      _ = unit.graphUnit.maximumLoadSinceLastCall()
      do throws(AudioError) {
        // A device may start slowly, and its first cycle may call the program.
        try Lock.whileYielded { () throws(AudioError) in try unit.start() }
      } catch {
        throw error.of(head.title).at(head.place)
      }
      state.stage = .started
    }
  }

  // MARK: Back

  /// [control thread] Stops the head; on return nothing is being rendered.
  func stop() throws(AudioError) {
    try state.turns.control { () throws(AudioError) in
      guard state.stage >= .initialized, let head = state.topology.nodes.head, let unit = head.unit
      else { return }
      state.stage = .initialized
      do throws(AudioError) {
        // The current cycle may be in a callback that waits for a thread that queries the graph.
        try Lock.whileYielded { () throws(AudioError) in try unit.stop() }
      } catch { throw error.of(head.title) }
    }
  }

  /// [control thread] Uninitialises the units; a running graph is stopped first.
  func uninitialize() throws(AudioError) {
    try change(afterCallback: { try? $0.uninitialize() }) { _ in uninitializeNow() }
  }

  /// [control thread] Disposes of the units; their descriptions stay.
  func close() throws(AudioError) {
    try change(afterCallback: { try? $0.close() }) { _ in closeNow() }
  }

  /// [in a turn] Stops, uninitialises and closes the graph.
  func closeNow() {
    uninitializeNow()
    state.close()
  }

  private func uninitializeNow() {
    guard state.stage >= .initialized else { return }
    if let head = state.head { try? Lock.whileYielded { () throws(AudioError) in try head.stop() } }
    state.stage = .initialized
    state.uninitialize()
  }

  /// Runs a change of stage. A callback must not wait for it: then a change back to an earlier stage
  /// runs `afterCallback` on another thread, and any other change is refused.
  private func change(
    afterCallback: (@Sendable (GraphLife) -> Void)? = nil,
    _ body: (GraphState) throws(AudioError) -> Void
  ) throws(AudioError) {
    if rt_current().pointee.depth > 0 {
      guard let afterCallback else { throw .cannotDoInCurrentContext }
      Notifier.disposal.perform { afterCallback(self) }
      return
    }
    try state.turns.change { () throws(AudioError) in try body(state) }
  }
}
