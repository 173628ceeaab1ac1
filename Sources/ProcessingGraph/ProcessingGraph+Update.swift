// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime

// How the description takes effect: it is checked as a whole, new units are initialised, new
// sources are prepared for every unit that changes, and all sources are switched at once between
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

    /// [under the lock] The present state of `graph`.
    init(_ graph: ProcessingGraph) { add(graph) }

    private mutating func add(_ graph: ProcessingGraph) {
      parts.append(Part(graph: graph, nodes: graph.nodes, interactions: graph.interactions))
      for node in graph.nodes { node.subgraph.map { add($0) } }
    }

    /// Every node, including those of sub-graphs.
    var nodes: [Node] { parts.flatMap(\.nodes) }
  }

  /// [any thread] Applies pending edits. With `waits` it returns when they are in effect, otherwise
  /// at once. Returns whether nothing is pending.
  ///
  /// Invalid edits are refused together: the old graph keeps playing, and the description reverts
  /// to what was last in effect, except that added nodes remain.
  public func update(waits: Bool) throws(AudioError) -> Bool {
    let root = root
    // The change under way must end first; the caller has to try again.
    let mustWait = try root.control { () in root.isChanging }
    guard waits || !mustWait else { return false }
    return try root.change { () throws(AudioError) in
      root.sweep()
      if root.stage == .initialized, root.isEdited {
        do throws(AudioError) {
          try root.settle()
          root.lastUpdateError = noErr
        } catch {
          root.lastUpdateError = error.status
          // A render thread found a lock taken: the description is valid, and the caller may try
          // again.
          if error.status != kAUGraphErr_CannotDoInCurrentContext { root.revertDescription() }
          throw error
        }
      }
      if waits, rt_current().pointee.depth == 0 { root.waitForSlice() } else { root.finishLater() }
      return !root.isSwitching
    }
  }

  /// [under the lock, outermost, not initialised] Updates the units of an open graph from the
  /// description as far as possible now. The rest becomes an error when the graph is initialised.
  func follow() {
    hasUnsettled = false
    guard stage == .open else { return retireMembers() }
    let edit = editCount
    guard let wiring = try? Wiring(self) else {
      hasUnsettled = true
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
          hasUnsettled = true
        }
      }
    }
    // If others edited while plug-ins were queried, it is repeated.
    guard (try? publish(Effect(sources: sources), leaving: [], ofEdit: edit)) != nil else { return }
    waitForSlice()
  }

  /// [under the lock, outermost graph open, not initialised] Updates one input after an edit,
  /// without visiting the rest, so that building a graph takes one step for each connection.
  func followInput(_ bus: UInt32, of number: Int32) {
    // Each edit inside a sub-graph renumbers its inputs, and may make earlier edits possible.
    guard parent == nil, !hasUnsettled, let unit = try? node(number).unit else {
      return root.follow()
    }
    var source: Wiring.Source?
    switch interactions.feeding(number, bus)?.source {
    case nil: break
    case .callback(let callback)?: source = .callback(callback)
    case .connection(let from, let output)?:
      guard let from = try? node(from).unit else { return follow() }
      do throws(AudioError) {
        try Self.adopt(from, output, for: unit, bus)
        source = .connection(from, bus: output)
      } catch {
        hasUnsettled = true
      }
    }
    let input = Wiring.Input(unit: unit, bus: bus)
    // Others may have edited while a plug-in was queried for its format.
    guard !root.followsAgain else { return }
    guard !(source.map { $0.isSame(as: wired[input]) } ?? (wired[input] == nil)) else { return }
    let edit = SourceEdit(unit: unit, inputs: [Self.inputChange(input, source, delay: nil)])
    guard let retirement = try? apply([edit], branches: [:]) else { return hasUnsettled = true }
    wired[input] = source
    retirements.append(retirement)
    waitForSlice()
  }

  /// [in a turn, outermost] Applies the whole description, or changes nothing.
  func settle() throws(AudioError) {
    for _ in 0..<Self.settlingLimit where try settle(edit: editCount) { return }
    throw .cannotDoInCurrentContext.because("the graph is edited faster than its plug-ins answer")
  }

  /// The number of attempts if others keep editing meanwhile.
  private static var settlingLimit: Int { 20 }

  /// The same. Returns false, without any change, if the description has been edited since `edit`.
  private func settle(edit: Int) throws(AudioError) -> Bool {
    let wiring = try Wiring(self)
    guard let head = head?.unit else {
      throw .outputNode.because("the graph has no output node").at(place)
    }
    let order = try wiring.order()
    for link in wiring.links { try checkBuses(wiring, link) }
    let taking = wiring.participants(head)
    var undo: [() -> Void] = []
    do throws(AudioError) {
      raiseMaximumFrames(wiring, order)
      for member in order {
        try settle(wiring, member, taking.contains(member), &undo)
      }
      let units = Set(taking.map { ObjectIdentifier(wiring.members[$0].unit) })
      let leaving = participants.subtracting(units)
      let alignment = alignment(wiring, order, head: head)
      let team = try requestedTeam()
      let branches = try branches(wiring, head: head, team)
      let before = participants
      participants = units
      let leavingUnits = initialized.filter { leaving.contains(.init($0)) }
      let effect = Effect(
        sources: wiring.sources, delays: alignment.delays, branches: branches, team: team)
      let published: Snapshot?
      do throws(AudioError) {
        published = try publish(effect, leaving: leavingUnits, ofEdit: edit)
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
      initialized = order.filter(taking.contains).map { wiring.members[$0].unit }
      agreed = published
      // Later edits take effect with the next update.
      isEdited = editCount != edit
      return true
    } catch {
      for step in undo.reversed() { step() }
      throw error
    }
  }

  /// Gives one unit the formats of its sources and initialises it.
  private func settle(
    _ wiring: Wiring, _ member: Int, _ takesPart: Bool, _ undo: inout [() -> Void]
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
    guard takesPart else { return }
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

  /// Gives new units a maximum slice that is as large as what will be pulled from them.
  private func raiseMaximumFrames(_ wiring: Wiring, _ order: [Int]) {
    var frames = wiring.members.map { $0.unit.maximumFramesPerSlice ?? 0 }
    for member in order.reversed() {
      for link in wiring.links(to: member) {
        guard let from = link.from, frames[from] < frames[member] else { continue }
        let unit = wiring.members[from].unit
        guard unit.graphSide.isReady != true else { continue }
        unit.setMaximumFramesPerSlice(frames[member])
        frames[from] = frames[member]
      }
    }
  }

  // MARK: Publishing

  /// The state to publish.
  private struct Effect {
    var sources: [Wiring.Input: Wiring.Source]
    var delays: [Wiring.Input: DelayLine] = [:]
    var branches: [ObjectIdentifier: Branches] = [:]
    var team: RenderTeam?
  }

  /// [under the lock, outermost] Switches the units' inputs to those of `effect`; units that are
  /// `leaving` and removed nodes are disposed of when no slice can be inside them. It fails as
  /// `apply` does. Returns the description in effect; nil, without any change, if it has been
  /// edited since `edit`.
  private func publish(_ effect: Effect, leaving: [UnitInstance], ofEdit edit: Int)
    throws(AudioError) -> Snapshot?
  {
    let (sources, held) = (effect.sources, effect.delays)
    var edits: [SourceEdit] = []
    var places: [ObjectIdentifier: Int] = [:]
    func place(_ unit: UnitInstance) -> Int {
      if let place = places[.init(unit)] { return place }
      places[.init(unit)] = edits.count
      edits.append(SourceEdit(unit: unit, inputs: []))
      return edits.count - 1
    }
    func note(_ input: Wiring.Input, _ source: Wiring.Source?) {
      edits[place(input.unit)].inputs.append(Self.inputChange(input, source, delay: held[input]))
    }
    for (input, source) in sources
    where !source.isSame(as: wired[input]) || delays[input] !== held[input] {
      note(input, source)
    }
    for (input, _) in wired where sources[input] == nil { note(input, nil) }
    let now = Snapshot(self)
    for unit in now.nodes.compactMap(\.unit)
    where try unit.graphSide.knownBranches() !== effect.branches[.init(unit)] { _ = place(unit) }

    // From here on no plug-in is called.
    guard editCount == edit else { return nil }
    followsAgain = false
    var retirement = try apply(edits, branches: effect.branches)
    (wired, delays) = (sources, held)
    retirement.leaving = leaving
    retirement.nodes = collectRemovedNodes(since: now)
    retirement.team = team === effect.team ? nil : team
    retirements.append(retirement)
    team = effect.team
    sweep()
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

  /// Gives units their new sources, all at once, and returns what is left to dispose of. It fails
  /// only on a render thread that finds a unit's lock taken; then nothing has changed.
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
    // Includes changes that may not be in effect yet, as the new offer replaces the old one.
    let due = retirements.filter { $0.round == nil && $0.head === head }.flatMap(\.changes)
    let change = changes.isEmpty ? nil : SourceSwap.allocate(due + changes)
    if let change {
      if let head { head.graphSide.swapSources(change) } else { change.applyNow() }
    }
    for (side, edit) in zip(sides, edits) { side.setSources(edit.inputs) }
    return Retirement(head: head, change: change, changes: changes, settled: sides)
  }

  /// Returns the nodes that are no longer members, and updates the members.
  private func collectRemovedNodes(since snapshot: Snapshot) -> [Node] {
    let now = snapshot.nodes
    // Nodes that were added since are members too, though not yet of any snapshot.
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
    for node in collectRemovedNodes(since: Snapshot(self)) { end(node) }
  }

  /// Restores the description that was last in effect, except that nodes added since remain.
  private func revertDescription() {
    guard let agreed else { return }
    for part in agreed.parts {
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
