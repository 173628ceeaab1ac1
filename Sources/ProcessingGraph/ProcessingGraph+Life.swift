// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime

// The states of a graph: created, open, initialised, running, and back. A sub-graph has the state
// of the graph that contains it.
extension ProcessingGraph {
  /// [any thread] Whether the units exist.
  public func isOpen() throws(AudioError) -> Bool {
    try root.control { () in root.stage >= .open }
  }
  /// [any thread] Whether the connected units are initialised.
  public func isInitialized() throws(AudioError) -> Bool {
    try root.control { () in root.stage == .initialized }
  }
  /// [any thread] Whether the head plays.
  public func isPlaying() throws(AudioError) -> Bool { try root.control { () in root.isRunning } }

  /// [under the lock, outermost graph] Whether the head plays.
  var isRunning: Bool {
    guard stage == .initialized, let head = head?.unit else { return false }
    return head.isPlaying ?? isStarted
  }

  /// [control thread] Disposes of the units; their descriptions stay.
  public func close() throws(AudioError) {
    let isInside = rt_current().pointee.depth > 0
    try changeState(afterCallback: { try? $0.close() }) { (root) throws(AudioError) in
      root.closeNow()
    }
    if isInside { stopCallbacks() }
  }

  /// [any thread] Called when disposal begins; then its units call no functions of the program.
  public func stopCallbacks() {
    guard lock.tryLock() else { return }
    defer { lock.unlock() }
    for unit in Snapshot(self).nodes.compactMap(\.unit) {
      // Waits for running listeners, if waiting is allowed.
      AfterLocks.perform { unit.stopCallbacks() }
    }
  }

  /// [control thread] Checks the whole graph, applies the connections and initialises the connected
  /// units, sources first.
  public func initialize() throws(AudioError) {
    try changeState { (root) throws(AudioError) in
      guard root.stage != .initialized else { return }
      guard root.stage == .open else {
        throw .invalidAudioUnit.because("the graph is not open; call AUGraphOpen first")
      }
      do throws(AudioError) { try root.applyDescription() } catch {
        root.lastUpdateError = error.status
        throw error
      }
      root.lastUpdateError = noErr
      root.stage = .initialized
      root.waitForSlice()
    }
  }

  /// [control thread] Uninitialises the units; a running graph is stopped first.
  public func uninitialize() throws(AudioError) {
    try changeState(afterCallback: { try? $0.uninitialize() }) { (root) throws(AudioError) in
      root.uninitializeNow()
    }
  }

  /// [control thread] Starts the head; does nothing if it is running.
  public func start() throws(AudioError) {
    try changeState { (root) throws(AudioError) in
      guard root.stage == .initialized else {
        throw .uninitialized.because("initialize the graph before you start it")
      }
      guard let head = root.head, let unit = head.unit else {
        throw .outputNode.because("the graph has no output node").at(root.place)
      }
      guard !root.isRunning else { return }
      _ = unit.graphSide.maximumLoadSinceLastCall()
      do throws(AudioError) {
        // A device may start slowly, and its first cycle may call the program.
        try Lock.whileLent { () throws(AudioError) in try unit.start() }
      } catch {
        throw error.of(head.title).at(head.place)
      }
      root.isStarted = true
    }
  }

  /// [control thread] Stops the head; on return no slice is being rendered.
  public func stop() throws(AudioError) {
    try refuseSubgraph()
    try control { () throws(AudioError) in
      guard stage == .initialized, let head, let unit = head.unit else { return }
      isStarted = false
      do throws(AudioError) {
        // The current cycle may be in a callback that waits for a thread that queries the graph.
        try Lock.whileLent { () throws(AudioError) in try unit.stop() }
      } catch { throw error.of(head.title) }
    }
  }

  /// [any thread] Disposes of the graph behind `handle`, its sub-graphs and units. If called from a
  /// callback, another thread finishes the disposal.
  public static func dispose(_ handle: OpaquePointer) throws(AudioError) {
    guard let entered = Handles.graphs.enter(handle) else {
      throw .stale("graph")
    }
    let isPart = entered.takeUnretainedValue().parent != nil
    Handles.graphs.leave(handle)
    guard !isPart else {
      throw .invalidArgument.because("a sub-graph is disposed of with its node; remove the node")
    }
    try Handles.graphs.dispose(handle, kind: "graph")
  }

  /// [control thread] Disposes of the graph and its units; nothing uses them any more.
  public func finishDisposal() {
    try? change(waits: .max) { () in
      closeNow()
      for node in nodes { dispose(of: node) }
    }
  }

  // MARK: Steps

  /// Runs a change of state. A callback must not wait for it: then a change back to an earlier
  /// state runs `afterCallback` on another thread, and any other change is refused.
  func changeState(
    afterCallback: (@Sendable (ProcessingGraph) -> Void)? = nil,
    _ body: (ProcessingGraph) throws(AudioError) -> Void
  ) throws(AudioError) {
    try refuseSubgraph()
    if rt_current().pointee.depth > 0 {
      guard let afterCallback else { throw .cannotDoInCurrentContext }
      Notifier.disposal.perform { [self] in afterCallback(self) }
      return
    }
    try change { () throws(AudioError) in try body(self) }
  }

  private func refuseSubgraph() throws(AudioError) {
    guard parent == nil else {
      throw .invalidArgument.because("a sub-graph has the state of the graph that contains it")
    }
  }

  private func closeNow() {
    guard stage >= .open else { return }
    uninitializeNow()
    closeUnits()
    wired = [:]
    delays = [:]
    stage = .created
  }

  private func closeUnits() {
    for node in Snapshot(self).nodes { disposeUnit(of: node) }
  }

  private func uninitializeNow() {
    guard stage == .initialized else { return }
    if let head = head?.unit { try? Lock.whileLent { () throws(AudioError) in try head.stop() } }
    isStarted = false
    waitForSlice()
    // The head first, so that nothing pulls the others.
    for unit in initialized.reversed() {
      try? Lock.whileLent { () throws(AudioError) in try unit.uninitialize() }
    }
    team?.stop()
    team = nil
    initialized = []
    participants = []
    pathLatency = 0
    stage = .open
    appliedSnapshot = nil
    isEdited = false
    updateUnits()
  }
}
