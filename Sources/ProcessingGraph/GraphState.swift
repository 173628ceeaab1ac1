// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime

/// The state that a graph shares with its sub-graphs: its parts, and the updates that give the units
/// what the topology says.
///
/// The connections exist twice: in the topology, which every edit changes immediately, and in the
/// units (`current`). Until the graph is initialised, every edit updates the units as far as
/// possible; afterwards `update` does, or changes nothing.
final class GraphState: @unchecked Sendable {
  /// The topology of the outermost graph.
  let topology: Topology
  let turns = Turns()
  let units = UnitRecords()
  let swaps: SourceSwaps
  var stage = GraphStage.created
  private(set) var options = GraphOptions()
  /// The sources that the units have.
  private var current = SourceSet()
  private(set) var pathLatency = 0.0
  /// The topology of the last update, to which a refused update returns.
  private var updatedSnapshot: Snapshot?
  /// Whether an initialised graph was edited since its last update.
  private(set) var isEdited = false
  /// The topology of an update that found fades which had not ended, and the count of edits then:
  /// the end of the fades updates the graph, unless it was edited again.
  private var due: (snapshot: Snapshot, editCount: Int)?
  /// Whether the units of an open graph could not get everything that the topology says.
  private var hasOpenEdits = false
  /// The error of the last update or initialisation; `noErr` if it succeeded.
  private(set) var lastUpdateError = noErr

  init(_ topology: Topology) {
    self.topology = topology
    swaps = SourceSwaps(turns, units)
    turns.applyEdits = { [weak self] in
      guard let self else { return }
      if stage >= .initialized { isEdited = true } else { updateOpenUnits() }
    }
    swaps.fadesEnded = { [weak self] in self?.updateAfterFades() }
  }

  /// The unit that pulls the others, if it exists.
  var head: UnitInstance? { topology.nodes.head?.unit }

  /// [under the lock] Whether the head plays.
  var isRunning: Bool {
    guard stage >= .initialized, let head else { return false }
    return head.isPlaying ?? (stage == .started)
  }

  // MARK: Edits

  /// [under the lock] Must be called after an edit for which no unit has to change yet.
  func countEdit() {
    turns.countEdit()
    if stage >= .initialized { isEdited = true }
  }

  /// [under the lock] Must be called after any other edit. Until the graph is initialised, `update`
  /// runs immediately; or all units are updated at the end of the current turn.
  func recordEdit(_ update: () -> Void) {
    countEdit()
    if stage < .initialized { turns.applyEdit(update) }
  }

  /// [any thread] Sets an option; in an initialised graph it takes effect with the next update.
  func set<Value: Equatable>(_ option: WritableKeyPath<GraphOptions, Value>, to value: Value)
    throws(AudioError)
  {
    try turns.control { () in
      guard options[keyPath: option] != value else { return }
      options[keyPath: option] = value
      countEdit()
    }
  }

  /// [under the lock] Sets when edits fade. This changes no unit, so there is nothing to update.
  func setEditFades(_ fades: EditFades) { options.editFades = fades }

  // MARK: Updates

  /// [any thread] Implements `ProcessingGraph.update`.
  func update(waits: Bool) throws(AudioError) -> Bool {
    // Another change must end first; the caller has to try again.
    let mustWait = try turns.control { () in turns.isTaken }
    guard waits || !mustWait else { return false }
    return try turns.change { () throws(AudioError) in
      let canWait = waits && rt_current().pointee.depth == 0
      swaps.finishDue()
      if stage >= .initialized, isEdited {
        if try swaps.endFades(canWait: canWait) {
          do throws(AudioError) {
            try updateOrRevert { () throws(AudioError) in try updateAllUnits() }
          } catch {
            // The one that came before and waited for the fades was valid.
            updateAfterFades()
            throw error
          }
        } else {
          // Checked now, updated when the fades have ended.
          try updateOrRevert { () throws(AudioError) in _ = try GraphUpdate(topology) }
          due = (Snapshot(topology), turns.editCount)
        }
      }
      if canWait { swaps.waitForRender() } else { swaps.scheduleFinish() }
      return !swaps.isPending
    }
  }

  /// [in a turn] Runs an update. If it is refused, the topology returns to that of the last one.
  private func updateOrRevert(_ update: () throws(AudioError) -> Void) throws(AudioError) {
    do throws(AudioError) { try update() } catch {
      // If another thread holds a lock that a render thread needs, the topology is valid, and the
      // caller may try again.
      if error.status != kAUGraphErr_CannotDoInCurrentContext,
        let valid = due?.snapshot ?? updatedSnapshot
      {
        valid.restore()
        due?.editCount = turns.editCount
        isEdited = due != nil
      }
      throw error
    }
  }

  /// [in a turn] Does an update that came during fades, now that they have ended. If the graph was
  /// edited again, the edits are not complete: the next update applies all of them.
  private func updateAfterFades() {
    guard let due, stage >= .initialized, due.editCount == turns.editCount else { return }
    self.due = nil
    // As if the program had called it: the error can be read back.
    try? updateOrRevert { () throws(AudioError) in try updateAllUnits() }
  }

  /// [in a turn] Updates all units, or changes nothing.
  func updateAllUnits() throws(AudioError) {
    do throws(AudioError) {
      for _ in 0..<Self.attemptLimit where try updateAllUnits(ofEdit: turns.editCount) {
        return lastUpdateError = noErr
      }
      throw .cannotDoInCurrentContext.because(
        "the graph is edited faster than its plug-ins respond")
    } catch {
      lastUpdateError = error.status
      throw error
    }
  }

  /// The number of attempts while other threads continue to edit.
  private static var attemptLimit: Int { 20 }

  /// As above. Returns false, without any change, if the topology has been edited since `edit`.
  private func updateAllUnits(ofEdit edit: Int) throws(AudioError) -> Bool {
    var update = try GraphUpdate(topology)
    do throws(AudioError) {
      try update.prepare(units)
      let (wiring, head) = (update.wiring, update.head)
      let alignment = Alignment(
        wiring, update.order, head: head, compensates: options.compensatesLatency,
        current: current)
      let team = try options.team(current.team)
      let branches = try ParallelBranches(wiring, head: head, team)
      let sources = SourceSet(
        sources: wiring.sources, delays: alignment.delays, branches: branches.ofUnit, team: team)
      let motion =
        try fades(head)
        ? SourceMotion(
          from: current, to: sources, of: topology.allNodes.compactMap(\.unit), head: head, wiring,
          update.order) : nil
      guard
        let snapshot = try swapSources(
          to: sources, motion, connecting: update.connectedUnits, ofEdit: edit)
      else {
        update.revert()
        return false
      }
      pathLatency = alignment.latency
      units.setInitialized(update.initializedUnits)
      updatedSnapshot = snapshot
      due = nil
      // Later edits take effect with the next update.
      isEdited = turns.editCount != edit
      return true
    } catch {
      update.revert()
      throw error
    }
  }

  /// [in a turn] Whether an edit fades now.
  private func fades(_ head: UnitInstance) -> Bool {
    guard stage >= .initialized else { return false }
    return switch options.editFades {
    case .never: false
    case .onDevices: head.graphUnit.isPaced && isRunning
    case .always: true
    }
  }

  /// [in a turn, not initialised] Updates the units of an open graph as far as possible. The rest
  /// causes an error when the graph is initialised.
  func updateOpenUnits() {
    hasOpenEdits = false
    guard stage == .open else { return disposeOfRemovedNodes() }
    let edit = turns.editCount
    guard let wiring = try? Wiring(topology) else {
      hasOpenEdits = true
      return disposeOfRemovedNodes()
    }
    var sources = wiring.sources
    let order = (try? wiring.order()) ?? Array(wiring.members.indices)
    for member in order {
      for link in wiring.links(to: member) {
        guard case .connection(let source, let bus) = link.source else { continue }
        let unit = wiring.members[link.to].unit
        do throws(AudioError) {
          try GraphUpdate.adoptFormat(source, bus, for: unit, link.bus)
        } catch {
          sources[.init(unit: unit, bus: link.bus)] = nil
          hasOpenEdits = true
        }
      }
    }
    // If other threads edited while plug-ins were queried, the update is repeated.
    guard (try? swapSources(to: SourceSet(sources: sources), ofEdit: edit)) != nil else { return }
    swaps.waitForRender()
  }

  /// [in a turn, open, not initialised] Updates one input of a node of the outermost graph after an
  /// edit, without visiting the others, so that building a graph needs one step per connection.
  func updateInput(_ bus: UInt32, of number: Int32) {
    let nodes = topology.nodes
    // The edit may make earlier edits possible.
    guard !hasOpenEdits, let unit = try? nodes.numbered(number).unit else {
      return updateOpenUnits()
    }
    var source: Wiring.Source?
    switch topology.interactions.feeding(number, bus)?.source {
    case nil: break
    case .callback(let callback)?: source = .callback(callback)
    case .connection(let from, let output)?:
      guard let from = try? nodes.numbered(from).unit else { return updateOpenUnits() }
      do throws(AudioError) {
        try GraphUpdate.adoptFormat(from, output, for: unit, bus)
        source = .connection(from, bus: output)
      } catch {
        hasOpenEdits = true
      }
    }
    let input = Wiring.Input(unit: unit, bus: bus)
    // Other threads may have edited while a plug-in was queried for its format.
    guard !turns.hasNewEdits else { return }
    let old = current.sources[input]
    guard !(source.map { $0.isSame(as: old) } ?? (old == nil)) else { return }
    let edit = UnitSources(unit: unit, inputs: [UnitSources.change(input, source)])
    guard let retirement = try? swaps.swapSources([edit], head: head) else {
      return hasOpenEdits = true
    }
    current.sources[input] = source
    swaps.add(retirement)
    swaps.waitForRender()
  }

  /// [in a turn] Swaps the sources of the units. Once no render can be inside them, units that
  /// are not among the `connecting` ones are uninitialised, and removed nodes are disposed of.
  /// Returns the topology in effect; nil, without any change, if it has been edited since `edit`.
  /// Fails as `SourceSwaps.swapSources` does.
  private func swapSources(
    to new: SourceSet, _ motion: SourceMotion? = nil,
    connecting connected: Set<ObjectIdentifier>? = nil, ofEdit edit: Int
  ) throws(AudioError) -> Snapshot? {
    let now = Snapshot(topology)
    let motion =
      if let motion { motion } else {
        SourceMotion(
          try new.edits(from: current, of: now.nodes.compactMap(\.unit)), new.branches)
      }
    // From here on no plug-in is called.
    guard turns.acceptEdits(upTo: edit) else { return nil }
    var retirement = try swaps.swapSources(
      motion.first.edits, branches: motion.first.branches, head: head)
    if let connected { retirement.leaving = units.connect(connected) }
    retirement.nodes = units.takeRemovedNodes(now, topology)
    retirement.team = current.team === new.team ? nil : current.team
    current = new
    if motion.rest.isEmpty { swaps.add(retirement) } else { swaps.fade(motion.rest, retirement) }
    swaps.finishDue()
    return now
  }

  /// [in a turn] Disposes of nodes that were removed from a graph whose units do not change.
  private func disposeOfRemovedNodes() {
    for node in units.takeRemovedNodes(Snapshot(topology), topology) { node.dispose() }
  }

  // MARK: Back to earlier stages

  /// [in a turn] Uninitialises the units of a graph that has been stopped.
  func uninitialize() {
    guard stage >= .initialized else { return }
    swaps.cutFades()
    swaps.waitForRender()
    for unit in units.disconnect() {
      try? Lock.whileYielded { () throws(AudioError) in try unit.uninitialize() }
    }
    current.team?.stop()
    current.team = nil
    pathLatency = 0
    stage = .open
    (updatedSnapshot, due) = (nil, nil)
    isEdited = false
    updateOpenUnits()
  }

  /// [in a turn] Disposes of the units of a graph that has been uninitialised.
  func close() {
    guard stage >= .open else { return }
    if topology.removeBorrowedNodes() { updateOpenUnits() }
    for node in topology.allNodes { node.disposeUnit() }
    current = SourceSet()
    stage = .created
  }
}
