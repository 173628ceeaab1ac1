// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// New sources for many units, which take effect together between two slices of the unit that pulls
/// them all, the head. A pointer to memory.
///
/// Whoever comes first applies it: the head at the top of its next slice or, while no slice is under
/// way, the control side. When both are at it, each does all of it, and what is done already stays as
/// it is: no slice sees a part, and nobody waits.
package struct SourceSwitch: BitwiseCopyable, @unchecked Sendable {
  /// The change of one unit.
  package struct Change: BitwiseCopyable {
    let side: UnsafeMutablePointer<RenderSide>
    let old: UInt
    let new: UInt
  }

  private struct Memory {
    var changes: UnsafeMutablePointer<Change>
    var count: Int
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// What a head's word stands for; nil for zero.
  @_noLocks
  init?(_ bits: UInt) {
    guard let memory = UnsafeMutablePointer<Memory>(bitPattern: bits) else { return nil }
    self.memory = memory
  }

  /// [control thread] Lays out a switch; its units must outlive it.
  package static func allocate(_ changes: [Change]) -> Self? {
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    memory.initialize(
      to: Memory(changes: .allocate(capacity: max(changes.count, 1)), count: changes.count))
    for (index, change) in changes.enumerated() { memory.pointee.changes[index] = change }
    return Self(UInt(bitPattern: memory))
  }

  /// [control thread] Frees the memory; no head looks at it any more.
  package func deallocate() {
    memory.pointee.changes.deallocate()
    memory.deallocate()
  }

  /// [any thread] Puts every change into effect that is not yet.
  @_noLocks
  func apply() {
    for index in 0..<memory.pointee.count {
      let change = memory.pointee.changes[index]
      change.side.pointee.sources.replace(change.old, by: change.new)
    }
  }

  /// [control thread] Puts every change into effect at once: there is no head whose slices would see a
  /// part of it.
  package func applyUnseen() { apply() }

  fileprivate var bits: UInt { UInt(bitPattern: memory) }
}

extension NativeUnit {
  /// [control thread, one at a time] Has this unit apply `change` before its next slice; at once,
  /// while none is under way. It takes the place of what was offered before: while `hasOffer` is
  /// true, `change` must begin with the changes of that.
  package final func offer(_ change: SourceSwitch) {
    side.pointee.pendingSwitch.store(change.bits, ordering: .sequentiallyConsistent)
    side.pointee.attention.raise(.offer)
    applyOffered()
  }

  /// [control thread, one at a time] Puts what was offered into effect, unless a slice is under way.
  /// One that begins meanwhile helps before it goes on.
  package final func applyOffered() {
    let bits = side.pointee.pendingSwitch.load(ordering: .sequentiallyConsistent)
    guard let change = SourceSwitch(bits), side.pointee.gate.isIdle else { return }
    change.apply()
    _ = side.pointee.pendingSwitch.compareExchange(
      expected: bits, desired: 0, ordering: .sequentiallyConsistent)
  }

  /// [any thread] Whether a switch waits for the end of the slice that is under way.
  package final var hasOffer: Bool {
    side.pointee.pendingSwitch.load(ordering: .sequentiallyConsistent) != 0
  }

  /// [any thread] How many slices have ended, and whether the one that was under way then has.
  package final var sliceRound: UInt64 { side.pointee.gate.round }
  package final func isPast(_ round: UInt64) -> Bool { side.pointee.gate.isPast(round) }

  /// [any thread] The share of real time that renders take, as an average and as the largest since
  /// it was taken last.
  package final var averageLoad: Double { side.pointee.load.load }
  package final func takeMaximumLoad() -> Double { side.pointee.load.takeMaximum() }

  /// [any thread] Runs `body` with the locks of several units held. A render thread gets an error
  /// where it would have to wait.
  package static func locking<Result>(_ units: [NativeUnit], _ body: () -> Result)
    throws(AudioError) -> Result
  {
    try take(connecting)
    var held = [connecting]
    defer { for lock in held.reversed() { lock.unlock() } }
    for unit in units {
      try take(unit.lock)
      held.append(unit.lock)
    }
    return body()
  }
}

extension NativeUnit {
  /// What is to feed an input, and what holds it back.
  package struct NewInput {
    package var bus: Int
    package var source: NewSource
    package var delay: DelayLine?

    package init(bus: Int, source: NewSource, delay: DelayLine?) {
      self.bus = bus
      self.source = source
      self.delay = delay
    }
  }

  /// What is to feed an input.
  package enum NewSource {
    case nothing
    case callback(AURenderCallbackStruct)
    case connection(UnitInstance, bus: UInt32)
  }

  /// [any thread, under the lock] Writes down new sources of some inputs, and what all of them have in
  /// common, and prepares what tells render threads. Formats are the caller's to have seen to.
  /// `settleSources` is owed for each.
  package final func prepareSources(_ new: [NewInput], _ branches: Branches?)
    -> SourceSwitch.Change
  {
    for input in new where input.bus < inputs.count {
      var plugged = InputSource()
      var unit: UnitInstance?
      switch input.source {
      case .nothing: break
      case .callback(let callback): plugged = .callback(callback)
      case .connection(let source, let bus):
        plugged = .connection(source, bus: bus)
        unit = source
      }
      plugged.delay = input.delay.map { .passUnretained($0) }
      plugged.line = input.delay?.line
      replug(inputs[input.bus], plugged, unit: unit)
      inputs[input.bus].sourceDelay = input.delay
    }
    self.branches = branches
    let table = SourceTable.allocate(inputs.map(\.source), branches)
    return SourceSwitch.Change(
      side: side, old: side.pointee.sources.prepare(table), new: UInt(bitPattern: table.address))
  }

  /// [any thread] Which inputs may be pulled at the same time, as a graph has said last.
  package final func knownBranches() throws(AudioError) -> Branches? {
    try control { () in branches }
  }

  /// [control thread] Nobody will apply what `prepareSources` gave any more.
  package final func settleSources() {
    lock.withLock { side.pointee.sources.settle(isQuiet: { isQuiet }) }
  }

  /// [control thread] What `units` rendered from their old sources is not given out again, by nobody.
  package static func dropSlices(of units: [NativeUnit]) { UnitInstance.dropSlices(of: units) }

  /// [control thread] Gives an input the format of what is to be connected to it.
  package final func adoptFormat(_ format: StreamFormat, of source: String, bus: Int)
    throws(AudioError)
  {
    let notices = try control { () throws(AudioError) in
      try clearAway()
      dueNotices.removeAll()
      try adopt(format, of: source, at: try element(kAudioUnitScope_Input, UInt32(bus)))
      return dueNotices
    }
    for notice in notices { tellListeners(notice) }
  }

  /// [control thread] Whether an input could take the format of what is to be connected to it, as the
  /// unit is now.
  package final func checkFormat(_ format: StreamFormat, of source: String, bus: Int)
    throws(AudioError)
  {
    try control { () throws(AudioError) in
      try checkAdoption(format, of: source, at: try element(kAudioUnitScope_Input, UInt32(bus)))
    }
  }
}
