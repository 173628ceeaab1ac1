// SPDX-License-Identifier: Apache-2.0

/// A note that sounds, and when it ends. Plain memory.
struct SoundingNote: BitwiseCopyable {
  let target: PlayTarget
  var endBeat: Double
  /// The note-off.
  let status: UInt8
  let key: UInt8
  let velocity: UInt8
  /// The identifier of an extended note, and its group.
  var instance: UInt32 = 0
  var group: UInt32 = 0
  var isExtended = false

  @_noLocks
  init(
    _ target: PlayTarget, until endBeat: Double, _ status: UInt8, _ key: UInt8, _ velocity: UInt8
  ) {
    (self.target, self.endBeat) = (target, endBeat)
    (self.status, self.key, self.velocity) = (status, key, velocity)
  }
}

/// The notes that sound, in the order in which they began. Plain memory.
struct SoundingNotes: BitwiseCopyable {
  static var capacity: Int { @_noLocks get { 1_024 } }

  let notes: UnsafeMutablePointer<SoundingNote>
  private(set) var count = 0
  /// When the first of them ends.
  private(set) var nextEnd = Double.infinity

  /// [control thread] Uses memory that its owner frees.
  init(_ notes: UnsafeMutablePointer<SoundingNote>) { self.notes = notes }

  var isFull: Bool { @_noLocks get { count == Self.capacity } }

  /// Adds a note. There must be room.
  @_noLocks
  mutating func add(_ note: SoundingNote) {
    notes[count] = note
    count += 1
    nextEnd = min(nextEnd, note.endBeat)
  }

  /// Removes and returns the note that ends first; of several the oldest. There must be one.
  @_noLocks
  mutating func removeFirst() -> SoundingNote {
    var first = 0
    for index in 1..<max(1, count) where notes[index].endBeat < notes[first].endBeat {
      first = index
    }
    let note = notes[first]
    nextEnd = .infinity
    for index in 0..<count where index != first {
      nextEnd = min(nextEnd, notes[index].endBeat)
      if index > first { notes[index - 1] = notes[index] }
    }
    count -= 1
    return note
  }
}
