// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CRealTime
import Glibc

/// Work that waits until no render of the old graph can still be running: memory to free, and
/// units to uninitialise and dispose of.
struct Retirement {
  /// The head whose renders must end; nil if no head has renders of its own.
  fileprivate var head: UnitInstance?
  /// How many renders of the head had ended when the swap was seen in effect; nil before.
  fileprivate var round: UInt64?
  fileprivate var swap: SourceSwap?
  fileprivate var changes: [SourceSwap.Change]
  fileprivate var graphUnits: [any GraphUnit]
  /// Units to uninitialise, unless they are connected again.
  var leaving: [UnitInstance] = []
  var nodes: [Node] = []
  var team: RenderTeam?
}

/// Swaps the sources of units, all together between two renders of the head, and later frees
/// what the old ones needed.
final class SourceSwaps: @unchecked Sendable {
  private let turns: Turns
  private let units: UnitRecords
  private var retirements: [Retirement] = []
  private var isFinishScheduled = false

  init(_ turns: Turns, _ units: UnitRecords) {
    self.turns = turns
    self.units = units
  }

  /// [in a turn] Gives units their new sources, and returns the work that is left. Fails, without
  /// any change, only on a render thread while another thread holds a unit's lock.
  func swapSources(
    _ edits: [SourceEdit], branches: [ObjectIdentifier: Branches] = [:], head: UnitInstance?
  ) throws(AudioError) -> Retirement {
    let graphUnits = edits.map(\.unit.graphUnit)
    let changes = try ControlLocks.hold(of: graphUnits) {
      zip(graphUnits, edits).compactMap { graphUnit, edit in
        graphUnit.prepareSources(edit.inputs, branches[.init(edit.unit)])
      }
    }
    // The new swap replaces the pending one, so it includes changes that may not be in effect yet.
    let due = retirements.filter { $0.round == nil && $0.head === head }.flatMap(\.changes)
    let swap = changes.isEmpty ? nil : SourceSwap.allocate(due + changes)
    if let swap {
      if let head { head.graphUnit.swapSources(swap) } else { swap.applyNow() }
    }
    for (graphUnit, edit) in zip(graphUnits, edits) { graphUnit.setSources(edit.inputs) }
    return Retirement(head: head, swap: swap, changes: changes, graphUnits: graphUnits)
  }

  /// [in a turn] Adds work to do once the sources are swapped.
  func add(_ retirement: Retirement) { retirements.append(retirement) }

  /// Whether a swap waits for the current render to end.
  var isPending: Bool { retirements.contains { $0.round == nil } }

  /// [in a turn] Does the work that is possible now, without waiting. Inside a callback it does not
  /// dispose of anything, because that acquires locks.
  func finishDue() {
    for index in retirements.indices where retirements[index].round == nil {
      let head = retirements[index].head?.graphUnit
      head?.applySwapIfIdle()
      guard head?.hasPendingSwap != true else { break }
      retirements[index].round = head?.renderRound ?? 0
    }
    guard rt_current().pointee.depth == 0 else { return }
    while let first = retirements.first, let round = first.round,
      first.head?.graphUnit.isPast(round) ?? true
    {
      retirements.removeFirst()
      finish(first)
    }
  }

  private func finish(_ retirement: Retirement) {
    for unit in retirement.graphUnits { unit.retireOldSources() }
    // Samples from the old sources must not be returned again.
    UnitInstance.dropRenders(of: retirement.graphUnits.map(\.unit))
    retirement.team?.stop()
    retirement.swap?.deallocate()
    for unit in retirement.leaving where !units.isConnected(unit) {
      try? Lock.whileYielded { () throws(AudioError) in try unit.uninitialize() }
    }
    for node in retirement.nodes { node.dispose() }
  }

  /// [in a turn] Waits for the current render, but not for a device that hangs: the new sources
  /// take effect with the next render in any case.
  func waitForRender() {
    guard rt_current().pointee.depth == 0 else { return scheduleFinish() }
    let end = rt_host_time() + 1_000_000_000
    finishDue()
    while !retirements.isEmpty, rt_host_time() < end {
      Lock.whileYielded { _ = usleep(50) }
      finishDue()
    }
    scheduleFinish()
  }

  /// [under the lock] Schedules the remaining work on another thread.
  func scheduleFinish() {
    guard !retirements.isEmpty, !isFinishScheduled else { return }
    isFinishScheduled = true
    Notifier.disposal.perform { [self] in
      usleep(1_000)
      try? turns.change(waits: .max) { () in
        isFinishScheduled = false
        finishDue()
        scheduleFinish()
      }
    }
  }
}
