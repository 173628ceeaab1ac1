// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Messages from many threads to one: bounded, without locks.
///
/// Each cell carries a turn number (the bounded queue of D. Vyukov): writers compete for a cell with
/// one atomic operation and never wait for each other; the only reader empties the cells in order. A turn
/// counts from the index of its cell, so that an empty queue is zeros.
///
/// Render threads use it in functions marked `@_noLocks`. There the compiler makes this code anew
/// for the type of the message, and checks that it neither locks nor allocates. Public, because
/// unoptimised builds do so for nothing less.
public struct MessageQueue<Message: BitwiseCopyable>: ~Copyable {
  @usableFromInline
  struct Cell: ~Copyable {
    @usableFromInline let turn: Atomic<Int>
    /// Undefined before the first message.
    @usableFromInline var message: Message?
  }

  /// The most messages: a power of two.
  public let capacity: Int
  @usableFromInline let cells: UnsafeMutablePointer<Cell>
  /// The numbers of messages that were appended and removed so far.
  @usableFromInline let head = Atomic<Int>(0)
  @usableFromInline let tail = Atomic<Int>(0)

  /// [control thread] An empty queue for at least this many messages. With `comesWhenUsed`, the pages of
  /// its memory come with the messages, or by `touch`.
  @inlinable
  public init(capacity minimum: Int, comesWhenUsed: Bool = false) {
    // One cell could not tell a full queue from an empty one.
    var capacity = 2
    while capacity < minimum { capacity *= 2 }
    self.capacity = capacity
    cells = ZeroedMemory.allocate(capacity * MemoryLayout<Cell>.stride).bindMemory(
      to: Cell.self, capacity: capacity)
    if !comesWhenUsed { touch() }
  }

  // A message is plain memory, so there is nothing else to release.
  @inlinable
  deinit { ZeroedMemory.free(UnsafeMutableRawPointer(cells)) }

  /// [any thread] Makes the pages of its memory come, so that no render thread waits for them.
  @inlinable
  public borrowing func touch() {
    for index in 0..<capacity { cells[index].turn.bitwiseOr(0, ordering: .relaxed) }
  }

  /// The index of the cell of a position, which counts from the first message.
  @inlinable @inline(__always)
  borrowing func index(_ position: Int) -> Int { position & (capacity &- 1) }

  /// [any thread] Appends a message; false when the queue is full.
  @inlinable
  public borrowing func push(_ message: Message) -> Bool {
    var position = head.load(ordering: .relaxed)
    while true {
      let index = index(position)
      let cell = cells + index
      let turn = cell.pointee.turn.load(ordering: .acquiring) &+ index
      if turn < position { return false }
      if turn == position {
        let (won, seen) = head.compareExchange(
          expected: position, desired: position &+ 1, ordering: .relaxed)
        if won {
          cell.pointee.message = message
          cell.pointee.turn.store(position &+ 1 &- index, ordering: .releasing)
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
    let index = index(last)
    return cells[index].turn.load(ordering: .acquiring) &+ index == last
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
    let index = index(position)
    let cell = cells + index
    guard cell.pointee.turn.load(ordering: .acquiring) &+ index == position &+ 1 else { return nil }
    let message = cell.pointee.message
    cell.pointee.turn.store(position &+ capacity &- index, ordering: .releasing)
    tail.store(position &+ 1, ordering: .relaxed)
    return message
  }
}

// Its parts are atomic, and a message belongs to one thread at a time.
extension MessageQueue: @unchecked Sendable where Message: Sendable {}
