// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Messages from many threads to one: bounded, without locks.
///
/// Each cell carries a turn number (the bounded queue of D. Vyukov): writers compete for a cell with
/// one atomic operation and never wait for each other; the only reader empties the cells in order.
///
/// Render threads use it in functions marked `@_noLocks`. There the compiler makes this code anew
/// for the type of the message, and checks that it neither locks nor allocates. Public, because
/// unoptimised builds do so for nothing less.
public struct MessageQueue<Message: BitwiseCopyable>: ~Copyable {
  @usableFromInline
  struct Cell: ~Copyable {
    @usableFromInline let turn: Atomic<Int>
    @usableFromInline var message: Message?

    @inlinable
    init(turn: Int) {
      self.turn = Atomic(turn)
      message = nil
    }
  }

  /// The most messages: a power of two.
  public let capacity: Int
  @usableFromInline let cells: UnsafeMutablePointer<Cell>
  /// The numbers of messages that were appended and removed so far.
  @usableFromInline let head = Atomic<Int>(0)
  @usableFromInline let tail = Atomic<Int>(0)

  /// [control thread] An empty queue for at least this many messages.
  @inlinable
  public init(capacity minimum: Int) {
    // One cell could not tell a full queue from an empty one.
    var capacity = 2
    while capacity < minimum { capacity *= 2 }
    self.capacity = capacity
    cells = .allocate(capacity: capacity)
    for index in 0..<capacity { (cells + index).initialize(to: Cell(turn: index)) }
  }

  // A message is plain memory, so there is nothing else to release.
  @inlinable
  deinit { cells.deallocate() }

  /// The cell of a position, which counts from the first message.
  @inlinable @inline(__always)
  borrowing func cell(_ position: Int) -> UnsafeMutablePointer<Cell> {
    cells + (position & (capacity &- 1))
  }

  /// [any thread] Appends a message; false when the queue is full.
  @inlinable
  public borrowing func push(_ message: Message) -> Bool {
    var position = head.load(ordering: .relaxed)
    while true {
      let cell = cell(position)
      let turn = cell.pointee.turn.load(ordering: .acquiring)
      if turn < position { return false }
      if turn == position {
        let (won, seen) = head.compareExchange(
          expected: position, desired: position &+ 1, ordering: .relaxed)
        if won {
          cell.pointee.message = message
          cell.pointee.turn.store(position &+ 1, ordering: .releasing)
          return true
        }
        position = seen
      } else {
        position = head.load(ordering: .relaxed)
      }
    }
  }

  /// [the only writer] Whether this many messages can be appended.
  @inlinable
  public borrowing func hasRoom(for count: Int) -> Bool {
    let last = head.load(ordering: .relaxed) + count - 1
    return cell(last).pointee.turn.load(ordering: .acquiring) == last
  }

  /// [any thread] The number of messages that were appended so far.
  @inlinable
  public borrowing func appendedCount() -> Int { head.load(ordering: .relaxed) }

  /// [any thread] The number of messages that were removed so far.
  @inlinable
  public borrowing func removedCount() -> Int { tail.load(ordering: .relaxed) }

  /// [the only reader] Removes and returns the oldest message; nil when there is none.
  @inlinable
  public borrowing func pop() -> Message? {
    let position = tail.load(ordering: .relaxed)
    let cell = cell(position)
    guard cell.pointee.turn.load(ordering: .acquiring) == position &+ 1 else { return nil }
    let message = cell.pointee.message
    cell.pointee.turn.store(position &+ capacity, ordering: .releasing)
    tail.store(position &+ 1, ordering: .relaxed)
    return message
  }
}

// Its parts are atomic, and a message belongs to one thread at a time.
extension MessageQueue: @unchecked Sendable where Message: Sendable {}
