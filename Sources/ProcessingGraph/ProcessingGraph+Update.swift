// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime

// How the description takes effect: it is checked as a whole, new units are initialised, new
// sources are prepared for every unit that changes, and all sources are switched together between
// two slices of the head.
extension ProcessingGraph {
  /// The description of a graph and its sub-graphs at one time.
  struct Snapshot {
    struct Part {
      let graph: ProcessingGraph
      let nodes: [Node]
      let interactions: InteractionList
    }
    var parts: [Part] = []

    /// [under the lock] The current description of `graph`.
    init(_ graph: ProcessingGraph) { add(graph) }

    private mutating func add(_ graph: ProcessingGraph) {
      parts.append(Part(graph: graph, nodes: graph.nodes, interactions: graph.interactions))
      for node in graph.nodes { node.subgraph.map { add($0) } }
    }

    /// Every node, including those of sub-graphs.
    var nodes: [Node] { parts.flatMap(\.nodes) }
  }

  /// [any thread] Applies pending edits. With `waits` it returns when they are in effect, otherwise
  /// immediately. Returns whether nothing is pending.
  ///
  /// Invalid edits are refused together: the old graph continues to play, and the description
  /// reverts to the one that was last in effect, except that added nodes remain.
  public func update(waits: Bool) throws(AudioError) -> Bool {
    let root = root
    // Another change must end first; the caller has to try again.
    let mustWait = try root.control { () in root.isChanging }
    guard waits || !mustWait else { return false }
    return try root.change { () throws(AudioError) in
      root.finishDueRetirements()
      if root.stage == .initialized, root.isEdited {
        do throws(AudioError) {
          try root.applyDescription()
          root.lastUpdateError = noErr
        } catch {
          root.lastUpdateError = error.status
          // If another thread holds a lock that a render thread needs, the description is valid,
          // and the caller may try again.
          if error.status != kAUGraphErr_CannotDoInCurrentContext { root.revertDescription() }
          throw error
        }
      }
      let canWait = waits && rt_current().pointee.depth == 0
      if canWait { root.waitForSlice() } else { root.scheduleFinish() }
      return !root.isSwitching
    }
  }

  /// [under the lock, outermost, not initialised] Updates the units of an open graph from the
  /// description as far as possible. The rest causes an error when the graph is initialised.
  func updateUnits() {
    hasUnappliedEdits = false
    guard stage == .open else { return retireMembers() }
    let edit = editCount
    guard let wiring = try? Wiring(self) else {
      hasUnappliedEdits = true
      return retireMembers()
    }
    var sources = wiring.sources
    let order = (try? wiring.order()) ?? Array(wiring.members.indices)
    for member in order {
      for link in wiring.links(to: member) {
        guard case .connection(let unit, let bus) = link.source else { continue }
        let unitFed = wiring.members[link.to].unit
        do throws(AudioError) {
          try Self.adopt(unit, bus, for: unitFed, link.bus)
        } catch {
          sources[.init(unit: unitFed, bus: link.bus)] = nil
          hasUnappliedEdits = true
        }
      }
    }
    // If other threads edited while plug-ins were queried, the update is repeated.
    let newState = NewState(sources: sources)
    guard (try? publish(newState, leaving: [], ofEdit: edit)) != nil else { return }
    waitForSlice()
  }

  /// [under the lock, outermost graph open, not initialised] Updates one input after an edit,
  /// without visiting the others, so that building a graph needs one step per connection.
  func updateInput(_ bus: UInt32, of number: Int32) {
    // An edit inside a sub-graph renumbers its inputs, and may make earlier edits possible.
    guard parent == nil, !hasUnappliedEdits, let unit = try? node(number).unit else {
      return root.updateUnits()
    }
    var source: Wiring.Source?
    switch interactions.feeding(number, bus)?.source {
    case nil: break
    case .callback(let callback)?: source = .callback(callback)
    case .connection(let from, let output)?:
      guard let from = try? node(from).unit else { return updateUnits() }
      do throws(AudioError) {
        try Self.adopt(from, output, for: unit, bus)
        source = .connection(from, bus: output)
      } catch {
        hasUnappliedEdits = true
      }
    }
    let input = Wiring.Input(unit: unit, bus: bus)
    // Other threads may have edited while a plug-in was queried for its format.
    guard !root.wasEditedInTurn else { return }
    guard !(source.map { $0.isSame(as: wired[input]) } ?? (wired[input] == nil)) else { return }
    let edit = SourceEdit(unit: unit, inputs: [Self.inputChange(input, source, delay: nil)])
    guard let retirement = try? apply([edit], branches: [:]) else {
      return hasUnappliedEdits = true
    }
    wired[input] = source
    retirements.append(retirement)
    waitForSlice()
  }

  /// [in a turn, outermost] Applies the whole description, or changes nothing.
  func applyDescription() throws(AudioError) {
    for _ in 0..<Self.attemptLimit where try applyDescription(edit: editCount) { return }
    throw .cannotDoInCurrentContext.because("the graph is edited faster than its plug-ins respond")
  }

  /// The number of attempts while other threads continue to edit.
  private static var attemptLimit: Int { 20 }

  /// As above. Returns false, without any change, if the description has been edited since `edit`.
  private func applyDescription(edit: Int) throws(AudioError) -> Bool {
    let wiring = try Wiring(self)
    guard let head = head?.unit else {
      throw .outputNode.because("the graph has no output node").at(place)
    }
    let order = try wiring.order()
    for link in wiring.links { try checkBuses(wiring, link) }
    let participating = wiring.participants(head)
    var undo: [() -> Void] = []
    do throws(AudioError) {
      adaptMaximumFrames(wiring, order)
      for member in order {
        try prepareUnit(wiring, member, participating.contains(member), &undo)
      }
      let units = Set(participating.map { ObjectIdentifier(wiring.members[$0].unit) })
      let leaving = participants.subtracting(units)
      let alignment = alignment(wiring, order, head: head)
      let team = try requestedTeam()
      let branches = try branches(wiring, head: head, team)
      let before = participants
      participants = units
      let leavingUnits = initialized.filter { leaving.contains(.init($0)) }
      let newState = NewState(
        sources: wiring.sources, delays: alignment.delays, branches: branches, team: team)
      let published: Snapshot?
      do throws(AudioError) {
        published = try publish(newState, leaving: leavingUnits, ofEdit: edit)
      } catch {
        participants = before
        throw error
      }
      guard let published else {
        participants = before
        for step in undo.reversed() { step() }
        return false
      }
      pathLatency = alignment.latency
      initialized = order.filter(participating.contains).map { wiring.members[$0].unit }
      appliedSnapshot = published
      // Later edits take effect with the next update.
      isEdited = editCount != edit
      return true
    } catch {
      for step in undo.reversed() { step() }
      throw error
    }
  }

  /// Gives one unit the formats of its sources and, if it participates, initialises it.
  private func prepareUnit(
    _ wiring: Wiring, _ member: Int, _ participates: Bool, _ undo: inout [() -> Void]
  ) throws(AudioError) {
    let unit = wiring.members[member].unit
    for link in wiring.links(to: member) {
      guard case .connection(let source, let bus) = link.source else { continue }
      let old = try? unit.streamFormat(kAudioUnitScope_Input, link.bus)
      do throws(AudioError) { try Self.adopt(source, bus, for: unit, link.bus) } catch {
        throw error.of(wiring.title(link)).at(link.place)
      }
      if let old, unit.graphSide.isReady == false {
        undo.append { try? unit.graphSide.adoptFormat(old, of: "", bus: Int(link.bus)) }
      }
    }
    guard participates else { return }
    let wasReady = unit.graphSide.isReady ?? participants.contains(ObjectIdentifier(unit))
    guard !wasReady else { return }
    do throws(AudioError) { try unit.initialize() } catch {
      throw error.of(wiring.members[member].title).at(wiring.members[member].node.place)
    }
    undo.append { try? unit.uninitialize() }
  }

  /// Gives an input the format of its source, or checks that it already has it.
  private static func adopt(
    _ source: UnitInstance, _ output: UInt32, for unit: UnitInstance, _ input: UInt32
  ) throws(AudioError) {
    let format = try source.streamFormat(kAudioUnitScope_Output, output)
    try unit.graphSide.adoptFormat(format, of: source.title, bus: Int(input))
  }

  private func checkBuses(_ wiring: Wiring, _ link: Wiring.Link) throws(AudioError) {
    let unit = wiring.members[link.to].unit
    guard link.bus < (try unit.elementCount(kAudioUnitScope_Input)) else {
      throw .invalidConnection.because("\(wiring.title(link)): there is no such input")
        .at(link.place)
    }
    guard case .connection(let source, let bus) = link.source else { return }
    guard bus < (try source.elementCount(kAudioUnitScope_Output)) else {
      throw .invalidConnection.because("\(wiring.title(link)): there is no such output")
        .at(link.place)
    }
  }

  /// Raises the maximum slice of new units to that of the units that pull them. A maximum that a
  /// program set stays: the unit that pulls cuts its pulls into slices of that size. A foreign unit
  /// does not, so its own maximum is lowered.
  private func adaptMaximumFrames(_ wiring: Wiring, _ order: [Int]) {
    let units = wiring.members.map(\.unit)
    var frames = units.map { $0.maximumFramesPerSlice ?? 0 }
    func adapt(_ member: Int, to count: UInt32) {
      guard units[member].graphSide.isReady != true else { return }
      if units[member].adaptMaximumFramesPerSlice(to: count) { frames[member] = count }
    }
    for member in order.reversed() {
      for case let from? in wiring.links(to: member).map(\.from) where frames[from] < frames[member]
      {
        adapt(from, to: frames[member])
      }
    }
    for member in order where units[member] is ForeignUnit {
      for case let from? in wiring.links(to: member).map(\.from)
      where frames[from] < frames[member] && frames[from] > 0 {
        adapt(member, to: frames[from])
      }
    }
  }

  // MARK: Publishing

  /// The state to publish.
  private struct NewState {
    var sources: [Wiring.Input: Wiring.Source]
    var delays: [Wiring.Input: DelayLine] = [:]
    var branches: [ObjectIdentifier: Branches] = [:]
    var team: RenderTeam?
  }

  /// [under the lock, outermost] Switches the units' inputs to those of `newState`. Once no slice
  /// can be inside them, units that are `leaving` are uninitialised and removed nodes are disposed
  /// of. Fails as `apply` does. Returns the description in effect; nil, without any change, if it
  /// has been edited since `edit`.
  private func publish(_ newState: NewState, leaving: [UnitInstance], ofEdit edit: Int)
    throws(AudioError) -> Snapshot?
  {
    let (sources, newDelays) = (newState.sources, newState.delays)
    var edits: [SourceEdit] = []
    var indices: [ObjectIdentifier: Int] = [:]
    func editIndex(_ unit: UnitInstance) -> Int {
      if let index = indices[.init(unit)] { return index }
      indices[.init(unit)] = edits.count
      edits.append(SourceEdit(unit: unit, inputs: []))
      return edits.count - 1
    }
    func add(_ input: Wiring.Input, _ source: Wiring.Source?) {
      let change = Self.inputChange(input, source, delay: newDelays[input])
      edits[editIndex(input.unit)].inputs.append(change)
    }
    for (input, source) in sources
    where !source.isSame(as: wired[input]) || delays[input] !== newDelays[input] {
      add(input, source)
    }
    for (input, _) in wired where sources[input] == nil { add(input, nil) }
    let now = Snapshot(self)
    for unit in now.nodes.compactMap(\.unit)
    where try unit.graphSide.knownBranches() !== newState.branches[.init(unit)] {
      _ = editIndex(unit)
    }

    // From here on no plug-in is called.
    guard editCount == edit else { return nil }
    wasEditedInTurn = false
    var retirement = try apply(edits, branches: newState.branches)
    (wired, delays) = (sources, newDelays)
    retirement.leaving = leaving
    retirement.nodes = collectRemovedNodes(since: now)
    retirement.team = team === newState.team ? nil : team
    retirements.append(retirement)
    team = newState.team
    finishDueRetirements()
    return now
  }

  /// New sources for some inputs of a unit.
  private struct SourceEdit {
    var unit: UnitInstance
    var inputs: [InputChange]
  }

  private static func inputChange(
    _ input: Wiring.Input, _ source: Wiring.Source?, delay: DelayLine?
  ) -> InputChange {
    let new: NewSource =
      switch source {
      case .connection(let unit, let bus)?: .connection(unit, bus: bus)
      case .callback(let callback)?: .callback(callback)
      case nil: .nothing
      }
    return InputChange(bus: Int(input.bus), source: new, delay: delay)
  }

  /// Gives units their new sources, all together, and returns the work that is left. Fails, without
  /// any change, only on a render thread while another thread holds a unit's lock.
  private func apply(_ edits: [SourceEdit], branches: [ObjectIdentifier: Branches])
    throws(AudioError) -> Retirement
  {
    let sides = edits.map(\.unit.graphSide)
    let changes = try NativeUnit.withLocks(of: sides) {
      zip(sides, edits).compactMap { side, edit in
        side.prepareSources(edit.inputs, branches[.init(edit.unit)])
      }
    }
    let head = head?.unit
    // The new swap replaces the pending one, so it includes changes that may not be in effect yet.
    let due = retirements.filter { $0.round == nil && $0.head === head }.flatMap(\.changes)
    let change = changes.isEmpty ? nil : SourceSwap.allocate(due + changes)
    if let change {
      if let head { head.graphSide.swapSources(change) } else { change.applyNow() }
    }
    for (side, edit) in zip(sides, edits) { side.setSources(edit.inputs) }
    return Retirement(head: head, change: change, changes: changes, sides: sides)
  }

  /// Returns the nodes that are no longer members, and updates the members.
  private func collectRemovedNodes(since snapshot: Snapshot) -> [Node] {
    let now = snapshot.nodes
    // Nodes that were added since are members too, although no snapshot contains them yet.
    let numbers = Set((now + Snapshot(self).nodes).map(ObjectIdentifier.init))
    let known = Set(now.map(ObjectIdentifier.init))
    let (removed, added) = (
      members.filter { !numbers.contains(ObjectIdentifier($0)) },
      members.filter {
        numbers.contains(ObjectIdentifier($0)) && !known.contains(ObjectIdentifier($0))
      }
    )
    members = now + added
    return removed
  }

  /// [under the lock, outermost] Disposes of nodes that were removed from a graph that is not open.
  private func retireMembers() {
    for node in collectRemovedNodes(since: Snapshot(self)) { dispose(of: node) }
  }

  /// Restores the description that was last in effect, except that nodes added since remain.
  private func revertDescription() {
    guard let appliedSnapshot else { return }
    for part in appliedSnapshot.parts {
      let before = Set(part.nodes.map(ObjectIdentifier.init))
      let hasOutput = part.nodes.contains(where: \.isOutput)
      let added = part.graph.nodes.filter {
        !before.contains(ObjectIdentifier($0)) && !($0.isOutput && hasOutput)
      }
      part.graph.nodes = (part.nodes + added).sorted { $0.number < $1.number }
      part.graph.interactions = part.interactions
      part.graph.head = part.graph.nodes.first(where: \.isOutput)
    }
    isEdited = false
  }
}
