// SPDX-License-Identifier: Apache-2.0

/// The sounds that wait to be played, the first of which may be playing. [render thread]
///
/// They are in the order in which they were scheduled, except that a sound with a position comes
/// before the sounds with later ones.
struct SoundQueue {
  private(set) var first: SoundEntry.Address?
  /// The first sound that will end those before it.
  private(set) var interrupter: SoundEntry.Address?
  private var last: SoundEntry.Address?
  /// The latest position of a sound in the queue, or of one before them.
  private var latestPosition = Int.min

  init() {}

  /// Adds a sound.
  @_noLocks
  mutating func insert(_ entry: SoundEntry.Address) {
    if case .position = entry.pointee.timing {
      guard entry.pointee.position >= latestPosition else { return insertByPosition(entry) }
      latestPosition = entry.pointee.position
    }
    append(entry)
  }

  @_noLocks
  private mutating func append(_ entry: SoundEntry.Address) {
    if let last { last.pointee.next = entry } else { first = entry }
    last = entry
    if interrupter == nil, entry.pointee.isInterrupter { interrupter = entry }
  }

  /// Inserts a sound before the first with a later position that has not begun.
  @_noLocks
  private mutating func insertByPosition(_ entry: SoundEntry.Address) {
    var before: SoundEntry.Address?
    var after = first
    while let other = after, !isLater(other, than: entry) {
      before = other
      after = other.pointee.next
    }
    guard let after else { return append(entry) }
    entry.pointee.next = after
    if let before { before.pointee.next = entry } else { first = entry }
    if interrupter != nil || entry.pointee.isInterrupter { findInterrupter(from: first) }
  }

  @_noLocks
  private func isLater(_ other: SoundEntry.Address, than entry: SoundEntry.Address) -> Bool {
    guard case .position = other.pointee.timing, !other.pointee.hasBegun else { return false }
    return other.pointee.position > entry.pointee.position
  }

  /// Removes the first sound.
  @_noLocks
  mutating func removeFirst() -> SoundEntry.Address? {
    guard let entry = first else { return nil }
    first = entry.pointee.next
    if first == nil {
      last = nil
      latestPosition = .min
    }
    if entry == interrupter { findInterrupter(from: first) }
    entry.pointee.next = nil
    return entry
  }

  /// The interrupter is the first sound now, and ends no other any more.
  @_noLocks
  mutating func interrupterHasCome() { findInterrupter(from: interrupter?.pointee.next) }

  @_noLocks
  private mutating func findInterrupter(from start: SoundEntry.Address?) {
    var next = start
    while let entry = next, !entry.pointee.isInterrupter || entry.pointee.hasBegun {
      next = entry.pointee.next
    }
    interrupter = next
  }
}
