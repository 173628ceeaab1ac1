// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Messages from many threads to one: bounded, without locks.
///
/// Each cell carries a turn number (the bounded queue of D. Vyukov): writers compete for a cell with
/// one atomic operation and never wait for each other; the only reader empties the cells in order.
package struct BoundedQueue: ~Copyable {
  /// The contents of a message.
  package typealias Words = (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
  )

  private struct Cell: ~Copyable {
    let turn: Atomic<Int>
    var words: Words
  }

  let capacity: Int
  private let cells: UnsafeMutablePointer<Cell>
  private let head = Atomic<Int>(0)
  private let tail: UnsafeMutablePointer<Int>

  package init(capacity: Int) {
    self.capacity = capacity
    cells = .allocate(capacity: capacity)
    for index in 0..<capacity {
      (cells + index).initialize(to: Cell(turn: Atomic(index), words: (0, 0, 0, 0, 0, 0, 0)))
    }
    tail = .allocate(capacity: 1)
    tail.initialize(to: 0)
  }

  deinit {
    cells.deinitialize(count: capacity).deallocate()
    tail.deallocate()
  }

  /// [any thread] Appends a message; false when the queue is full.
  @_noLocks
  package borrowing func push(_ words: Words) -> Bool {
    var position = head.load(ordering: .relaxed)
    while true {
      let cell = cells + position % capacity
      let turn = cell.pointee.turn.load(ordering: .acquiring)
      if turn < position { return false }
      if turn == position {
        let (won, seen) = head.compareExchange(
          expected: position, desired: position + 1, ordering: .relaxed)
        if won {
          cell.pointee.words = words
          cell.pointee.turn.store(position + 1, ordering: .releasing)
          return true
        }
        position = seen
      } else {
        position = head.load(ordering: .relaxed)
      }
    }
  }

  /// [the only writer] Whether this many messages can be appended.
  package borrowing func hasRoom(for count: Int) -> Bool {
    let last = head.load(ordering: .relaxed) + count - 1
    return (cells + last % capacity).pointee.turn.load(ordering: .acquiring) == last
  }

  /// [the only reader] Removes and returns the oldest message; nil when there is none.
  @_noLocks
  package borrowing func pop() -> Words? {
    let cell = cells + tail.pointee % capacity
    guard cell.pointee.turn.load(ordering: .acquiring) == tail.pointee + 1 else { return nil }
    let words = cell.pointee.words
    cell.pointee.turn.store(tail.pointee + capacity, ordering: .releasing)
    tail.pointee += 1
    return words
  }
}
