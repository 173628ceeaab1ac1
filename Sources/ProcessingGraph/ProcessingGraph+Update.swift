// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import CRealTime

// How the description comes into effect: it is checked as a whole, units that enter are initialised,
// new sources are prepared for every unit that changes, and all of them are switched at once between
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

    /// [under the lock] As `graph` is now.
    init(_ graph: ProcessingGraph) { add(graph) }

    private mutating func add(_ graph: ProcessingGraph) {
      parts.append(Part(graph: graph, nodes: graph.nodes, interactions: graph.interactions))
      for node in graph.nodes { node.subgraph.map { add($0) } }
    }

    /// Every node, those of sub-graphs too.
    var nodes: [Node] { parts.flatMap(\.nodes) }
  }

  /// [any thread] Puts pending edits into effect. With `waits` it returns when they are; else at
  /// once. Answers whether nothing is pending.
  ///
  /// Edits that cannot be are refused together: the old graph plays on, and the description is again
  /// what it was when the two agreed last, but for nodes that were added.
  public func update(waits: Bool) throws(AudioError) -> Bool {
    let root = root
    // The change under way ends first, and then somebody asks again.
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
          // A render thread found a lock taken: nothing is wrong, and it may ask again.
          if error.status != kAUGraphErr_CannotDoInCurrentContext { root.revertDescription() }
          throw error
        }
      }
      if waits, rt_current().pointee.depth == 0 { root.waitForSlice() } else { root.finishLater() }
      return !root.isSwitching
    }
  }

  /// [under the lock, outermost, not initialised] Lets the units of an open graph follow the
  /// description as far as that is possible now: what is not is an error when the graph is initialised.
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
    // Where others edited while plug-ins were asked, it follows again.
    guard (try? publish(Effect(sources: sources), leaving: [], ofEdit: edit)) != nil else { return }
    waitForSlice()
  }

  /// [under the lock, outermost graph open, not initialised] Lets one input follow an edit, without
  /// looking at the rest, so that a graph is built in as many steps as it has connections.
  func followInput(_ bus: UInt32, of number: Int32) {
    // With each edit inside a sub-graph its inputs are counted anew, and what was not possible before
    // may be now.
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
    // Others may have edited while a plug-in was asked for its format.
    guard !root.followsAgain else { return }
    guard !(source.map { $0.isSame(as: wired[input]) } ?? (wired[input] == nil)) else { return }
    let edit = SourceEdit(unit: unit, inputs: [Self.newInput(input, source, delay: nil)])
    guard let retirement = try? apply([edit], branches: [:]) else { return hasUnsettled = true }
    wired[input] = source
    retirements.append(retirement)
    waitForSlice()
  }

  /// [in a turn, outermost] Brings the whole description into effect, or changes nothing.
  func settle() throws(AudioError) {
    for _ in 0..<Self.settlingLimit where try settle(edit: editCount) { return }
    throw .cannotDoInCurrentContext.because("the graph is edited faster than its plug-ins answer")
  }

  /// How often it begins anew because others edited meanwhile.
  private static var settlingLimit: Int { 20 }

  /// The same; false, and nothing is changed, where the description is not that of `edit` any more.
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
      // What was edited since comes with the next update.
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

  /// Gives an input the format of its source, or checks that it has it already.
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

  /// Units that enter take slices as large as those that they will be asked for.
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

  /// What is to be in effect.
  private struct Effect {
    var sources: [Wiring.Input: Wiring.Source]
    var delays: [Wiring.Input: DelayLine] = [:]
    var branches: [ObjectIdentifier: Branches] = [:]
    var team: RenderTeam?
  }

  /// [under the lock, outermost] Switches the units' inputs to those of `effect`; units that are
  /// `leaving` and nodes that are gone end when no slice can be inside them. It fails as `apply` does.
  /// The description that is in effect; nil, and nothing is changed, where that is not the one of `edit`
  /// any more.
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
      edits[place(input.unit)].inputs.append(Self.newInput(input, source, delay: held[input]))
    }
    for (input, source) in sources
    where !source.isSame(as: wired[input]) || delays[input] !== held[input] {
      note(input, source)
    }
    for (input, _) in wired where sources[input] == nil { note(input, nil) }
    let now = Snapshot(self)
    for unit in now.nodes.compactMap(\.unit)
    where try unit.graphSide.knownBranches() !== effect.branches[.init(unit)] { _ = place(unit) }

    // From here on nobody is asked anything.
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

  /// New sources of some inputs of a unit.
  private struct SourceEdit {
    var unit: UnitInstance
    var inputs: [NewInput]
  }

  private static func newInput(
    _ input: Wiring.Input, _ source: Wiring.Source?, delay: DelayLine?
  ) -> NewInput {
    let new: NewSource =
      switch source {
      case .connection(let unit, let bus)?: .connection(unit, bus: bus)
      case .callback(let callback)?: .callback(callback)
      case nil: .nothing
      }
    return NewInput(bus: Int(input.bus), source: new, delay: delay)
  }

  /// Gives units their new sources, all at once; what that leaves to be ended. It fails on a render
  /// thread only, where a unit's lock is taken; then nothing has changed.
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
    // What is not known to be in effect comes with it: the new offer takes the place of the old.
    let due = retirements.filter { $0.round == nil && $0.head === head }.flatMap(\.changes)
    let change = changes.isEmpty ? nil : SourceSwap.allocate(due + changes)
    if let change {
      if let head { head.graphSide.swapSources(change) } else { change.applyNow() }
    }
    for (side, edit) in zip(sides, edits) { side.setSources(edit.inputs) }
    return Retirement(head: head, change: change, changes: changes, settled: sides)
  }

  /// Nodes that were members and are none any more; from now on the members are those of now.
  private func collectRemovedNodes(since snapshot: Snapshot) -> [Node] {
    let now = snapshot.nodes
    // Those that were added since are members too, though of no picture yet.
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

  /// [under the lock, outermost] Ends nodes that are gone from a graph that is not open.
  private func retireMembers() {
    for node in collectRemovedNodes(since: Snapshot(self)) { end(node) }
  }

  /// Makes the description what it was, but for nodes that were added since.
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
