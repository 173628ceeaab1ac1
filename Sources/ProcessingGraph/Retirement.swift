// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CRealTime
import Glibc

/// Work that waits until no slice of the old graph can still be rendering: memory to free, units to
/// uninitialise and dispose of.
struct Retirement {
  /// The head whose slices are waited for; nil: there is none that has slices of its own.
  var head: UnitInstance?
  /// The head's slices that had ended when the switch was known to be in effect.
  var round: UInt64?
  var change: SourceSwap?
  var changes: [SourceSwap.Change]
  var settled: [any GraphSide]
  var leaving: [UnitInstance] = []
  var nodes: [Node] = []
  var team: RenderTeam?
}

extension ProcessingGraph {
  /// [in a turn, outermost graph] Ends what can be ended now, without waiting; inside a callback
  /// nothing, as that takes locks.
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
    // The memory that old sources handed on is theirs again.
    UnitInstance.dropSlices(of: retirement.settled.map(\.unit))
    retirement.team?.stop()
    retirement.change?.deallocate()
    for unit in retirement.leaving where !participants.contains(ObjectIdentifier(unit)) {
      try? Lock.whileLent { () throws(AudioError) in try unit.uninitialize() }
    }
    for node in retirement.nodes { end(node) }
  }

  /// [outermost graph] Ends a node's unit, or the sub-graph that it is, once this thread holds no lock:
  /// the unit's listeners may be asking the graph something, and are waited for.
  func end(_ node: Node) {
    endUnit(of: node)
    for part in node.subgraph?.nodes ?? [] { end(part) }
    if let handle = node.subgraph?.handle, Handles.graphs.invalidate(handle) {
      // Its last use may be this very call.
      Handles.graphs.finishDisposalLater(of: handle)
    }
  }

  /// The same of its unit alone.
  func endUnit(of node: Node) {
    guard let handle = node.unit?.handle else { return }
    node.unit = nil
    AfterLocks.perform { try? UnitInstance.dispose(handle) }
  }

  /// [in a turn, outermost graph] Waits for the slice under way, but not for a device that hangs:
  /// what is published is in effect for whatever slice comes next.
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

  /// [under the lock, outermost graph] Has what cannot be ended yet ended later.
  func finishLater() {
    guard !retirements.isEmpty, !isFinishing else { return }
    isFinishing = true
    Notifier.endings.perform { [self] in
      usleep(1_000)
      try? change(waits: .max) { () in
        isFinishing = false
        sweep()
        finishLater()
      }
    }
  }
}
