// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CRealTime
import Glibc

/// Work that waits until no slice of the old graph can still be rendering: memory to free, units to
/// uninitialise and dispose of.
struct Retirement {
  /// The head whose slices must end; nil if no head has slices of its own.
  var head: UnitInstance?
  /// How many slices of the head had ended when the switch was known to be in effect.
  var round: UInt64?
  var change: SourceSwap?
  var changes: [SourceSwap.Change]
  var settled: [any GraphSide]
  var leaving: [UnitInstance] = []
  var nodes: [Node] = []
  var team: RenderTeam?
}

extension ProcessingGraph {
  /// [in a turn, outermost graph] Does the work that is possible now, without waiting. Does nothing
  /// inside a callback, as the work takes locks.
  func sweep() {
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

  /// Whether edits that were published wait for the slice under way to end.
  var isSwitching: Bool { retirements.contains { $0.round == nil } }

  private func finish(_ retirement: Retirement) {
    for unit in retirement.settled { unit.retireOldSources() }
    // Memory that was handed on by the old sources belongs to them again.
    UnitInstance.dropSlices(of: retirement.settled.map(\.unit))
    retirement.team?.stop()
    retirement.change?.deallocate()
    for unit in retirement.leaving where !participants.contains(ObjectIdentifier(unit)) {
      try? Lock.whileLent { () throws(AudioError) in try unit.uninitialize() }
    }
    for node in retirement.nodes { end(node) }
  }

  /// [outermost graph] Disposes of a node's unit or sub-graph once this thread holds no lock:
  /// disposal waits for the unit's listeners, which may be querying the graph.
  func end(_ node: Node) {
    endUnit(of: node)
    for part in node.subgraph?.nodes ?? [] { end(part) }
    if let handle = node.subgraph?.handle, Handles.graphs.invalidate(handle) {
      // This very call may be its last use.
      Handles.graphs.finishDisposalLater(of: handle)
    }
  }

  /// The same for its unit alone.
  func endUnit(of node: Node) {
    guard let handle = node.unit?.handle else { return }
    node.unit = nil
    AfterLocks.perform { try? UnitInstance.dispose(handle) }
  }

  /// [in a turn, outermost graph] Waits for the slice under way, but not for a device that hangs:
  /// what is published takes effect with the next slice in any case.
  func waitForSlice() {
    guard rt_current().pointee.depth == 0 else { return finishLater() }
    let end = rt_host_time() + 1_000_000_000
    sweep()
    while !retirements.isEmpty, rt_host_time() < end {
      Lock.whileLent { _ = usleep(50) }
      sweep()
    }
    finishLater()
  }

  /// [under the lock, outermost graph] Schedules for later the work that is not possible yet.
  func finishLater() {
    guard !retirements.isEmpty, !isFinishing else { return }
    isFinishing = true
    Notifier.disposal.perform { [self] in
      usleep(1_000)
      try? change(waits: .max) { () in
        isFinishing = false
        sweep()
        finishLater()
      }
    }
  }
}
