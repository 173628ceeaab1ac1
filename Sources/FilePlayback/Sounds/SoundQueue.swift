// SPDX-License-Identifier: Apache-2.0

/// The sounds that wait to be played, the first of which may be playing. [render thread]
///
/// They are in the order in which they were scheduled, except that a sound with a position comes
/// before the sounds with later ones, and one with a host time before those with later ones.
struct SoundQueue {
  private(set) var first: SoundEntry.Address?
  /// The sound that will end those before it: the last that does so at once, or else the first.
  private(set) var interrupter: SoundEntry.Address?
  private var last: SoundEntry.Address?
  /// The latest position and host time of a sound in the queue, or of one before them.
  private var latestPosition = Int.min
  private var latestHostTime: UInt64 = 0
  /// The last sound that was inserted before others, while it waits: later ones are behind it.
  private var lastInserted: SoundEntry.Address?
  /// The sounds that were passed to find the places of others.
  private(set) var passedCount = 0

  init() {}

  /// Adds a sound.
  @_noLocks
  mutating func insert(_ entry: SoundEntry.Address) {
    switch entry.pointee.timing {
    case .following: break
    case .position:
      guard entry.pointee.position >= latestPosition else { return insertByTime(entry) }
      latestPosition = entry.pointee.position
    case .hostTime:
      guard entry.pointee.stamp.mHostTime >= latestHostTime else { return insertByTime(entry) }
      latestHostTime = entry.pointee.stamp.mHostTime
    }
    append(entry)
  }

  @_noLocks
  private mutating func append(_ entry: SoundEntry.Address) {
    if let last { last.pointee.next = entry } else { first = entry }
    last = entry
    // What it will end is not the place for others.
    if entry.pointee.interruptsAtOnce { lastInserted = nil }
    guard entry.pointee.isInterrupter else { return }
    if interrupter == nil || entry.pointee.interruptsAtOnce { interrupter = entry }
  }

  /// Inserts a sound before the first with a later time that has not begun.
  @_noLocks
  private mutating func insertByTime(_ entry: SoundEntry.Address) {
    var before: SoundEntry.Address?
    // Not before one that interrupts at once, which was scheduled earlier and would end it.
    if let interrupter, interrupter.pointee.interruptsAtOnce { before = interrupter }
    var after = first
    if let lastInserted, isKnownEarlier(lastInserted, than: entry) { before = lastInserted }
    if let before { after = before.pointee.next }
    while let other = after, !isLater(other, than: entry) {
      before = other
      after = other.pointee.next
      passedCount &+= 1
    }
    guard let after else { return append(entry) }
    entry.pointee.next = after
    if let before { before.pointee.next = entry } else { first = entry }
    lastInserted = entry
    // One that interrupts at once stays the interrupter.
    if let interrupter, interrupter.pointee.interruptsAtOnce { return }
    if entry.pointee.isInterrupter { findInterrupter(from: first) }
  }

  /// Whether no sound before `other` is later than `entry`.
  @_noLocks
  private func isKnownEarlier(
    _ other: SoundEntry.Address, than entry: SoundEntry.Address
  ) -> Bool {
    switch (other.pointee.timing, entry.pointee.timing) {
    case (.position, .position): return other.pointee.position <= entry.pointee.position
    case (.hostTime, .hostTime):
      return other.pointee.stamp.mHostTime <= entry.pointee.stamp.mHostTime
    default: return false
    }
  }

  @_noLocks
  private func isLater(_ other: SoundEntry.Address, than entry: SoundEntry.Address) -> Bool {
    if other.pointee.hasBegun { return false }
    switch (other.pointee.timing, entry.pointee.timing) {
    case (.position, .position): return other.pointee.position > entry.pointee.position
    case (.hostTime, .hostTime):
      return other.pointee.stamp.mHostTime > entry.pointee.stamp.mHostTime
    default: return false
    }
  }

  /// Removes the first sound.
  @_noLocks
  mutating func removeFirst() -> SoundEntry.Address? {
    guard let entry = first else { return nil }
    first = entry.pointee.next
    if first == nil {
      last = nil
      latestPosition = .min
      latestHostTime = 0
    }
    if entry == interrupter { findInterrupter(from: first) }
    if entry == lastInserted { lastInserted = nil }
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
      passedCount &+= 1
    }
    interrupter = next
  }
}
