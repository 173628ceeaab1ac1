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
    /// The address of the current `SynthRack`; zero if there is none.
    let rack = Atomic<UInt>(0)
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
      UnsafeMutablePointer(bitPattern: rack.load(ordering: .acquiring))
    }
  }

  nonisolated(unsafe) let memory: UnsafeMutablePointer<Memory>

  init() { memory = .cell(Memory()) }

  deinit { memory.endCell() }

  /// [any thread] A new note identifier; never 0.
  func nextNote() -> UInt32 {
    let note = memory.pointee.notes.add(1, ordering: .relaxed).newValue
    return note & 0x7fff_ffff == 0 ? nextNote() : note & 0x7fff_ffff
  }

  /// [control thread] Replaces the synthesizers from the next render on; returns the previous ones,
  /// which a running render may still use.
  func exchange(_ rack: SynthRack?) -> UnsafeMutablePointer<SynthRack>? {
    let address = rack.map { UInt(bitPattern: UnsafeMutablePointer.cell($0)) } ?? 0
    return UnsafeMutablePointer(
      bitPattern: memory.pointee.rack.exchange(address, ordering: .acquiringAndReleasing))
  }

  /// [control thread] Frees synthesizers that `exchange` returned.
  static func free(_ rack: UnsafeMutablePointer<SynthRack>?) {
    guard let rack else { return }
    rack.pointee.deallocate()
    rack.endCell()
  }
}
