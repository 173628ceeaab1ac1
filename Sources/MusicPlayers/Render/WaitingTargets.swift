// SPDX-License-Identifier: Apache-2.0

/// The targets that had no room for an event, and where each of them goes on. Plain memory.
///
/// What follows an event that was refused waits with it for the next slice, so that a target gets
/// everything in order. Other targets do not wait.
struct WaitingTargets: BitwiseCopyable {
  /// A target, and the first event that it has not got.
  struct Entry: BitwiseCopyable {
    let target: PlayTarget
    /// The beat of the sequence, the track, and the serial number of the event. No beat: it does not
    /// wait any more, because it has refused for too long.
    var beat: Double
    var track: UInt
    var serial: UInt64
    /// The frames of the slices in which it refused.
    var frames = 0
    /// Whether it has refused in this slice.
    var isBlocked = true

    @_noLocks
    init(_ target: PlayTarget, at beat: Double, _ track: UInt, _ serial: UInt64) {
      (self.target, self.beat, self.track, self.serial) = (target, beat, track, serial)
    }
  }

  /// More targets than these lose what they refuse.
  static var capacity: Int { @_noLocks get { 64 } }

  private let entries: UnsafeMutablePointer<Entry>
  private(set) var count = 0

  /// [control thread] Uses memory that its owner frees with `deallocate`.
  init() { entries = .allocate(capacity: Self.capacity) }

  /// [control thread] Frees its memory.
  func deallocate() { entries.deallocate() }

  @_noLocks
  private func index(of target: PlayTarget) -> Int {
    var index = 0
    while index < count, !entries[index].target.isSame(as: target) { index += 1 }
    return index
  }

  /// Begins a slice: each target may take events again, unless it refuses for longer than a number of
  /// frames: a unit that nobody renders. It gets its events, and loses those that it refuses.
  @_noLocks
  mutating func begin(_ frameCount: Int, limit: Int) {
    for index in 0..<count {
      entries[index].isBlocked = false
      entries[index].frames += min(frameCount, limit)
      if entries[index].frames > limit {
        (entries[index].frames, entries[index].beat) = (limit, .infinity)
      }
    }
  }

  /// Whether a target has refused in this slice.
  @_noLocks
  func isBlocked(_ target: PlayTarget) -> Bool {
    guard count > 0 else { return false }
    let index = index(of: target)
    return index < count && entries[index].isBlocked
  }

  /// Whether a target waits.
  @_noLocks
  func has(_ target: PlayTarget) -> Bool { index(of: target) < count }

  /// Lets a target wait at an event; false if it cannot, and the event is lost.
  @_noLocks
  mutating func add(_ target: PlayTarget, at beat: Double, _ track: UInt, _ serial: UInt64) -> Bool
  {
    let index = index(of: target)
    guard index < count else {
      guard count < Self.capacity else { return false }
      entries[count] = Entry(target, at: beat, track, serial)
      count += 1
      return true
    }
    // It has taken nothing since, so it goes on at the same event.
    guard entries[index].beat < .infinity else { return false }
    entries[index].isBlocked = true
    return true
  }

  /// Ends the wait of a target, which has taken an event.
  @_noLocks
  mutating func remove(_ target: PlayTarget) {
    guard count > 0 else { return }
    let index = index(of: target)
    guard index < count, !entries[index].isBlocked else { return }
    count -= 1
    entries[index] = entries[count]
  }

  @_noLocks
  mutating func removeAll() { count = 0 }

  /// Where a target goes on; nil if it does not wait.
  @_noLocks
  func place(of target: PlayTarget) -> Entry? {
    guard count > 0 else { return nil }
    let index = index(of: target)
    guard index < count, entries[index].beat < .infinity else { return nil }
    return entries[index]
  }
}
