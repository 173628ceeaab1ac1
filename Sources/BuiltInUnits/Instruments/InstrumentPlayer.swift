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
    /// The current `SynthRack`, if there is one.
    let rack = Published()
    /// The identifier of the last note.
    let notes = Atomic<UInt32>(0)
    /// The last selection of each channel: a bank's two bytes and a program, in eight bits each.
    let programs: UnsafeMutablePointer<Atomic<UInt32>>

    init() {
      programs = .allocate(capacity: SynthRack.channelCount)
      for channel in 0..<SynthRack.channelCount { (programs + channel).initialize(to: Atomic(0)) }
    }

    deinit { programs.deinitialize(count: SynthRack.channelCount).deallocate() }

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
