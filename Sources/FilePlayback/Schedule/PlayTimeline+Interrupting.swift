// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Items that interrupt those scheduled before them. [the thread that has entered]
extension PlayTimeline {
  /// Lets the last interrupting item whose time has come interrupt those scheduled before it.
  @_noLocks
  mutating func interrupt(at position: Int) {
    var found: ScheduledItem.Address?
    var next = first
    while let item = next {
      if item.pointee.interrupts, item.pointee.position <= position,
        item.pointee.serial >= found?.pointee.serial ?? 0
      {
        found = item
      }
      next = item.pointee.next
    }
    if let found { interruptOthers(with: found, at: found.pointee.position) }
  }

  /// The item that replaces `item` when that reaches its end or its loop point.
  @_noLocks
  borrowing func successor(of item: ScheduledItem.Address, at position: Int)
    -> ScheduledItem.Address?
  {
    var found: ScheduledItem.Address?
    var next = first
    while let other = next {
      let isDue = other.pointee.position <= position || other.pointee.isFollowing
      if isDue, other.pointee.interruptsAtLoop, other.pointee.serial > item.pointee.serial,
        other.pointee.serial < found?.pointee.serial ?? .max
      {
        found = other
      }
      next = other.pointee.next
    }
    return found
  }

  /// Ends the items that were scheduled before `item`, and plays it from `startPosition` on. It no
  /// longer interrupts others.
  @_noLocks
  mutating func interruptOthers(with item: ScheduledItem.Address, at startPosition: Int) {
    var next = first
    while let other = next {
      next = other.pointee.next
      if other.pointee.serial < item.pointee.serial { end(other) }
    }
    remove(item)
    if item.pointee.position == .max { openCount -= 1 }
    interruptCount -= 1
    item.pointee.requestedFlags = .init(
      rawValue: item.pointee.requestedFlags.rawValue
        & AUScheduledAudioSliceFlags.scheduledAudioSliceFlag_Loop.rawValue)
    item.pointee.position = startPosition
    insert(item)
  }

  /// The number of frames until the next interrupting item.
  @_noLocks
  borrowing func framesToInterrupt(after position: Int) -> Int {
    var frames = Int.max
    var next = first
    while let item = next {
      if item.pointee.interrupts, item.pointee.position > position, item.pointee.position < .max {
        frames = min(frames, item.pointee.position - position)
      }
      next = item.pointee.next
    }
    return frames
  }
}
