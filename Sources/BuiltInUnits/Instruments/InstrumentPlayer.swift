// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import MIDIMessages
import SignalProcessing
import Synchronization

/// The events and synthesizers that an instrument unit and its kernel share.
///
/// The unit owns it; the kernel uses its memory while the unit is initialised.
final class InstrumentPlayer: Sendable {
  /// Written by any thread, read by the render thread.
  struct Memory: ~Copyable {
    let events = MessageQueue<NoteEvent>(capacity: EventList.capacity)
    /// How many of the events that were read from the queue still wait for their frame.
    let unperformed = Atomic<Int>(0)
    /// The notes among the first so many events are dropped.
    let dropped = Atomic<Int>(0)
    /// The current `SynthRack`, if there is one.
    let rack = Published()
    /// The identifier of the last note.
    let notes = Atomic<UInt32>(0)
    /// The last selection of each channel: a bank's two bytes and a program, in eight bits each.
    let programs: UnsafeMutablePointer<Atomic<UInt32>>
    /// What was set in each group.
    let groups = GroupValues()

    init() {
      programs = .allocate(capacity: SynthRack.channelCount)
      for channel in 0..<SynthRack.channelCount { (programs + channel).initialize(to: Atomic(0)) }
    }

    deinit {
      programs.deinitialize(count: SynthRack.channelCount).deallocate()
      groups.deallocate()
    }

    /// [render thread] The current synthesizers.
    @_noLocks
    borrowing func currentRack() -> UnsafeMutablePointer<SynthRack>? {
      rack.loadIfAny()?.assumingMemoryBound(to: SynthRack.self)
    }
  }

  nonisolated(unsafe) let memory: UnsafeMutablePointer<Memory>
  /// Guards changes of the published synthesizers.
  private let lock = Lock()

  init() { memory = .cell(Memory()) }

  deinit { memory.endCell() }

  /// [any thread] A new note identifier; never 0.
  func nextNote() -> UInt32 {
    let note = memory.pointee.notes.add(1, ordering: .relaxed).newValue
    return note & 0x7fff_ffff == 0 ? nextNote() : note & 0x7fff_ffff
  }

  /// [any thread] Queues an event; false if too many wait. What ends notes finds room for longer.
  func send(_ event: NoteEvent) -> Bool {
    let queue = memory.pointee.events.appendedCount() - memory.pointee.events.removedCount()
    let waiting = queue + memory.pointee.unperformed.load(ordering: .relaxed)
    let limit = event.endsNotes ? EventList.capacity : EventList.usualCapacity
    return waiting < limit && memory.pointee.events.push(event)
  }

  /// [any thread] Queues an event, and stores what it sets in its group: before it is queued, because the
  /// render stores it too. False, and nothing changes, if too many events wait.
  func perform(_ event: NoteEvent) -> Bool {
    let groups = memory.pointee.groups
    guard let change = GroupValues.change(by: event) else {
      guard send(event) else { return false }
      groups.record(event)
      return true
    }
    let group = Int(event.channel & 15)
    let before = groups[group, change.index]
    groups.record(event)
    if send(event) { return true }
    groups.replace(group, change.index, change.value, by: before)
    return false
  }

  /// [any thread] Drops the notes that were sent so far, but no later ones.
  func dropNotes() {
    memory.pointee.dropped.store(
      memory.pointee.events.appendedCount(), ordering: .sequentiallyConsistent)
  }

  /// [while nothing renders] Drops all events that were sent so far.
  func dropEvents() {
    while memory.pointee.events.pop() != nil {}
    memory.pointee.unperformed.store(0, ordering: .relaxed)
  }

  /// [control thread] Replaces the synthesizers from the next render on. A running render, of the
  /// round that `round` returns, may still use the previous ones.
  func publish(_ rack: SynthRack?, in round: () -> UInt64) {
    lock.withLock { memory.pointee.rack.publish(rack.map(RackMemory.init), in: round) }
  }

  /// [control thread] Frees replaced synthesizers whose last render, by its round, has ended.
  func freeReplaced(where isPast: (UInt64) -> Bool) {
    let unused = lock.withLock { memory.pointee.rack.takeUnused { _, round in isPast(round) } }
    for rack in unused { rack.deallocate() }
  }
}

/// Synthesizers for the render thread.
private struct RackMemory: Publishable {
  private let rack: UnsafeMutablePointer<SynthRack>

  init(_ rack: SynthRack) { self.rack = .cell(rack) }

  var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(rack) }

  func deallocate() {
    rack.pointee.deallocate()
    rack.endCell()
  }
}
