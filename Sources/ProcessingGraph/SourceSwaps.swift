// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CRealTime

/// Work that waits until no render of the old graph can still be running: memory to free, and
/// units to uninitialise and dispose of.
struct Retirement {
  /// The head whose renders must end; nil if no head has renders of its own.
  fileprivate(set) var head: UnitInstance?
  /// How many renders of the head had ended when the swap was seen in effect; nil before.
  fileprivate var round: UInt64?
  fileprivate var swap: SourceSwap?
  fileprivate var changes: [SourceSwap.Change]
  fileprivate var graphUnits: [any GraphUnit]
  /// The crossfades of the units' inputs, which begin with the swap.
  fileprivate var fades: [any RunningFade]
  /// The crossfades that have ended; units may still point at their samples.
  fileprivate var endedFades: [any RunningFade] = []
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
  /// The change whose inputs fade.
  private var fading: FadingChange?
  /// [in a turn, on a thread of the library] Called when there are no fades any more.
  var fadesEnded: () -> Void = {}

  init(_ turns: Turns, _ units: UnitRecords) {
    self.turns = turns
    self.units = units
  }

  /// [in a turn] Gives units their new sources, and returns the work that is left. Fails, without
  /// any change, only on a render thread while another thread holds a unit's lock.
  func swapSources(
    _ edits: [UnitSources], branches: [ObjectIdentifier: Branches] = [:], head: UnitInstance?
  ) throws(AudioError) -> Retirement {
    let graphUnits = edits.map(\.unit.graphUnit)
    let (changes, fades) = try ControlLocks.hold(of: graphUnits) {
      let changes = zip(graphUnits, edits).compactMap { graphUnit, edit in
        graphUnit.prepareSources(edit.inputs, branches[.init(edit.unit)])
      }
      return (changes, graphUnits.flatMap(\.sourceFades))
    }
    // The new swap replaces the pending one, so it includes changes that may not be in effect yet.
    let due = retirements.filter { $0.round == nil && $0.head === head }.flatMap(\.changes)
    let swap = changes.isEmpty ? nil : SourceSwap.allocate(due + changes)
    if let swap {
      if let head { head.graphUnit.swapSources(swap) } else { swap.applyNow() }
    }
    for (graphUnit, edit) in zip(graphUnits, edits) { graphUnit.setSources(edit.inputs) }
    return Retirement(
      head: head, swap: swap, changes: changes, graphUnits: graphUnits, fades: fades)
  }

  /// [in a turn] Adds work to do once the sources are swapped.
  func add(_ retirement: Retirement) { retirements.append(retirement) }

  /// Whether a swap waits for the current render to end, or for fades.
  var isPending: Bool { fading != nil || retirements.contains { $0.round == nil } }

  // MARK: Fades

  /// [in a turn] Adds the swap of the first step of a change that fades. Its work is done after the
  /// last of the steps that follow.
  func fade(_ steps: [SourceMotion.Step], _ first: Retirement) {
    var now = first
    (now.leaving, now.nodes, now.team) = ([], [], nil)
    retirements.append(now)
    fading = FadingChange(steps: steps, fades: now.fades, end: first)
  }

  /// [in a turn] Makes the next swap of a change that fades, if its fades have ended.
  private func continueFades() {
    guard rt_current().pointee.depth == 0, !retirements.contains(where: { $0.round == nil }) else {
      return
    }
    if fading?.hasEnded() == true { try? swapNextStep() }
  }

  /// [in a turn] Makes the next swap of a change that fades.
  private func swapNextStep() throws(AudioError) {
    guard var change = fading, let step = change.steps.first else { return }
    var retirement = try swapSources(step.edits, branches: step.branches, head: change.end.head)
    retirement.endedFades = change.fades
    change.begin(retirement.fades)
    if change.steps.isEmpty {
      let end = change.end
      (retirement.leaving, retirement.nodes, retirement.team) = (end.leaving, end.nodes, end.team)
    }
    fading = change.steps.isEmpty ? nil : change
    retirements.append(retirement)
  }

  /// [in a turn] Ends fades before another change: waits for them if a device plays them and the
  /// caller can wait; cuts them if nothing paces them, or if they do not end within a second.
  /// Returns false if another thread will end them. Fails only on a render thread, if another
  /// thread holds a unit's lock.
  func endFades(canWait: Bool) throws(AudioError) -> Bool {
    guard let fading else { return true }
    if fading.isPaced {
      guard canWait else { return false }
      waitForRender()
    }
    while self.fading != nil { try swapNextStep() }
    return true
  }

  /// [in a turn] Cuts fades of a head that does not render.
  func cutFades() {
    while fading != nil { guard (try? swapNextStep()) != nil else { return } }
  }

  /// [in a turn] Does the work that is possible now, without waiting. Inside a callback it does not
  /// dispose of anything, because that acquires locks.
  func finishDue() {
    for index in retirements.indices where retirements[index].round == nil {
      let head = retirements[index].head?.graphUnit
      head?.applySwapIfIdle()
      guard head?.hasPendingSwap != true else { break }
      retirements[index].round = head?.renderRound ?? 0
    }
    continueFades()
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
    withExtendedLifetime(retirement.endedFades) {}
    for unit in retirement.leaving where !units.isConnected(unit) {
      try? Lock.whileYielded { () throws(AudioError) in try unit.uninitialize() }
    }
    for node in retirement.nodes { node.dispose() }
  }

  /// [in a turn] Waits for the current render, and for the fades that a device plays, but not for a
  /// device that hangs: the new sources take effect with the next render in any case.
  func waitForRender() {
    guard rt_current().pointee.depth == 0 else { return scheduleFinish() }
    let end = rt_host_time() + 1_000_000_000
    waitPolling(every: 50, until: end, releasing: Lock.whileYielded) {
      finishDue()
      return !retirements.isEmpty || fading?.isPaced == true
    }
    scheduleFinish()
  }

  /// [under the lock] Schedules the remaining work on another thread.
  func scheduleFinish() {
    guard !retirements.isEmpty || fading != nil, !isFinishScheduled else { return }
    isFinishScheduled = true
    Notifier.disposal.perform(after: 1_000_000) { [self] in
      try? turns.change(waits: .max) { () in
        isFinishScheduled = false
        finishDue()
        if fading == nil { fadesEnded() }
        scheduleFinish()
      }
    }
  }
}
