// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CRealTime
import Glibc

/// Work that waits until no slice of the old graph can still be rendering: memory to free, and
/// units to uninitialise and dispose of.
struct Retirement {
  /// The head whose slices must end; nil if no head has slices of its own.
  var head: UnitInstance?
  /// How many slices of the head had ended when the switch was seen in effect; nil before.
  var round: UInt64?
  var change: SourceSwap?
  var changes: [SourceSwap.Change]
  var sides: [any GraphSide]
  var leaving: [UnitInstance] = []
  var nodes: [Node] = []
  var team: RenderTeam?
}

extension ProcessingGraph {
  /// [in a turn, outermost graph] Does the work that is possible now, without waiting. Inside a
  /// callback it does not dispose of anything, because that acquires locks.
  func finishDueRetirements() {
    for index in retirements.indices where retirements[index].round == nil {
      let head = retirements[index].head?.graphSide
      head?.applyPendingSwap()
      guard head?.hasPendingSwap != true else { break }
      retirements[index].round = head?.sliceRound ?? 0
    }
    guard rt_current().pointee.depth == 0 else { return }
    while let first = retirements.first, let round = first.round,
      first.head?.graphSide.isPast(round) ?? true
    {
      retirements.removeFirst()
      finish(first)
    }
  }

  /// Whether published edits wait for the current slice to end.
  var isSwitching: Bool { retirements.contains { $0.round == nil } }

  private func finish(_ retirement: Retirement) {
    for unit in retirement.sides { unit.retireOldSources() }
    // Samples from the old sources must not be returned again.
    UnitInstance.dropSlices(of: retirement.sides.map(\.unit))
    retirement.team?.stop()
    retirement.change?.deallocate()
    for unit in retirement.leaving where !participants.contains(ObjectIdentifier(unit)) {
      try? Lock.whileLent { () throws(AudioError) in try unit.uninitialize() }
    }
    for node in retirement.nodes { dispose(of: node) }
  }

  /// [outermost graph] Disposes of a node's unit or sub-graph once this thread holds no lock:
  /// disposal waits for the unit's listeners, which may be querying the graph.
  func dispose(of node: Node) {
    disposeUnit(of: node)
    for part in node.subgraph?.nodes ?? [] { dispose(of: part) }
    if let handle = node.subgraph?.handle, Handles.graphs.invalidate(handle) {
      // This call may itself be its last use.
      Handles.graphs.finishDisposalLater(of: handle)
    }
  }

  /// Disposes of a node's unit once this thread holds no lock.
  func disposeUnit(of node: Node) {
    guard let handle = node.unit?.handle else { return }
    node.unit = nil
    AfterLocks.perform { try? UnitInstance.dispose(handle) }
  }

  /// [in a turn, outermost graph] Waits for the current slice, but not for a device that hangs: the
  /// published edits take effect with the next slice in any case.
  func waitForSlice() {
    guard rt_current().pointee.depth == 0 else { return scheduleFinish() }
    let end = rt_host_time() + 1_000_000_000
    finishDueRetirements()
    while !retirements.isEmpty, rt_host_time() < end {
      Lock.whileLent { _ = usleep(50) }
      finishDueRetirements()
    }
    scheduleFinish()
  }

  /// [under the lock, outermost graph] Schedules the remaining work on another thread.
  func scheduleFinish() {
    guard !retirements.isEmpty, !isFinishScheduled else { return }
    isFinishScheduled = true
    Notifier.disposal.perform { [self] in
      usleep(1_000)
      try? change(waits: .max) { () in
        isFinishScheduled = false
        finishDueRetirements()
        scheduleFinish()
      }
    }
  }
}
