// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Items that end those before them. [who is inside]
extension SliceTimeline {
  /// Has the last item whose time has come interrupt those that were scheduled before it.
  @_noLocks
  mutating func interrupt(at here: Int) {
    var found: ScheduledItem.Address?
    var next = first
    while let item = next {
      if item.pointee.interrupts, item.pointee.position <= here,
        item.pointee.serial >= found?.pointee.serial ?? 0
      {
        found = item
      }
      next = item.pointee.next
    }
    if let found { takeOver(found, at: found.pointee.position) }
  }

  /// The item that takes over where another comes to its end.
  @_noLocks
  borrowing func successor(of item: ScheduledItem.Address, at here: Int)
    -> ScheduledItem.Address?
  {
    var found: ScheduledItem.Address?
    var next = first
    while let other = next {
      let isDue = other.pointee.position <= here || other.pointee.timing == .following
      if isDue, other.pointee.interruptsAtLoop, other.pointee.serial > item.pointee.serial,
        other.pointee.serial < found?.pointee.serial ?? .max
      {
        found = other
      }
      next = other.pointee.next
    }
    return found
  }

  /// Ends what was scheduled before an item, which interrupts nothing more.
  @_noLocks
  mutating func takeOver(_ item: ScheduledItem.Address, at place: Int) {
    var next = first
    while let other = next {
      next = other.pointee.next
      if other.pointee.serial < item.pointee.serial { end(other) }
    }
    remove(item)
    if item.pointee.position == .max { openCount -= 1 }
    interruptCount -= 1
    item.pointee.wishes = .init(
      rawValue: item.pointee.wishes.rawValue
        & AUScheduledAudioSliceFlags.scheduledAudioSliceFlag_Loop.rawValue)
    item.pointee.position = place
    insert(item)
  }

  /// How many frames there are to the next item that interrupts.
  @_noLocks
  borrowing func framesToInterrupt(after here: Int) -> Int {
    var frames = Int.max
    var next = first
    while let item = next {
      if item.pointee.interrupts, item.pointee.position > here, item.pointee.position < .max {
        frames = min(frames, item.pointee.position - here)
      }
      next = item.pointee.next
    }
    return frames
  }
}
