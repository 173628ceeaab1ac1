// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CAllocationProbe
import Synchronization
import Testing

@testable import AudioSupport

@Suite("Message queue")
struct MessageQueueTests {
  /// As large as the largest message of the library. All parts come from the number.
  struct Message: BitwiseCopyable, Sendable {
    var writer: Int
    var number: Int
    var parts: (UInt64, UInt64, UInt64, UInt64)

    init(writer: Int, number: Int) {
      (self.writer, self.number) = (writer, number)
      let part = UInt64(writer) << 32 | UInt64(number)
      parts = (part, part, part, part)
    }

    var isWhole: Bool {
      let part = UInt64(writer) << 32 | UInt64(number)
      return parts == (part, part, part, part)
    }
  }

  /// The results of appending these numbers one after the other.
  private func push(_ numbers: Range<Int>, to queue: borrowing MessageQueue<Int>) -> [Bool] {
    var results: [Bool] = []
    for number in numbers { results.append(queue.push(number)) }
    return results
  }

  /// The messages that are waiting.
  private func popAll(_ queue: borrowing MessageQueue<Int>) -> [Int] {
    var messages: [Int] = []
    while let message = queue.pop() { messages.append(message) }
    return messages
  }

  @Test("counts the messages that were appended and removed, but not those it refused")
  func counts() {
    let queue = MessageQueue<Int>(capacity: 4)
    _ = push(0..<6, to: queue)
    _ = queue.pop()
    #expect(queue.appendedCount() == 4)
    #expect(queue.removedCount() == 1)
    _ = popAll(queue)
    #expect(queue.appendedCount() == queue.removedCount())
  }

  @Test(
    "returns messages in the order in which they were appended, wherever its memory comes from",
    arguments: [false, true])
  func order(comesWhenUsed: Bool) {
    // Of many pages, between messages that the heap has used before.
    _ = popAll(MessageQueue<Int>(capacity: 4_096))
    let queue = MessageQueue<Int>(capacity: 4_096, comesWhenUsed: comesWhenUsed)
    for round in 0..<5 {
      let numbers = round * 10_000..<round * 10_000 + 3_000
      _ = push(numbers, to: queue)
      queue.touch()
      #expect(popAll(queue) == Array(numbers))
    }
    #expect(popAll(queue).isEmpty)
  }

  @Test("refuses a message when it is full, and accepts one after one was removed")
  func full() {
    let queue = MessageQueue<Int>(capacity: 4)
    #expect(push(0..<5, to: queue) == [true, true, true, true, false])
    let first = queue.pop()
    #expect(first == 0)
    #expect(push(5..<7, to: queue) == [true, false])
    #expect(popAll(queue) == [1, 2, 3, 5])
  }

  @Test("knows whether it has room for several messages")
  func room() {
    let queue = MessageQueue<Int>(capacity: 4)
    func rooms(_ queue: borrowing MessageQueue<Int>) -> [Bool] {
      [queue.hasRoom(for: 1), queue.hasRoom(for: 4), queue.hasRoom(for: 5)]
    }
    #expect(rooms(queue) == [true, true, false])
    _ = push(0..<1, to: queue)
    #expect(rooms(queue) == [true, false, false])
    _ = push(0..<3, to: queue)
    #expect(rooms(queue) == [false, false, false])
  }

  @Test("has a capacity that is a power of two", arguments: [(1, 2), (5, 8), (1_000, 1_024)])
  func capacity(minimum: Int, expected: Int) {
    let capacity = MessageQueue<Int>(capacity: minimum).capacity
    #expect(capacity == expected)
  }

  private final class Storm: Sendable {
    let queue = MessageQueue<Message>(capacity: 64)
    let runningWriters: Atomic<Int>
    let refusals = Atomic(0)

    init(writers: Int) { runningWriters = Atomic(writers) }
  }

  @Test("delivers every message of many writers once, whole, and in the order of its writer")
  func storm() {
    let (writers, count) = (4, 20_000)
    let storm = Storm(writers: writers)
    let threads = (0..<writers).map { writer in
      OwnThread {
        for number in 0..<count {
          while !storm.queue.push(Message(writer: writer, number: number)) {
            storm.refusals.wrappingAdd(1, ordering: .relaxed)
            rest()
          }
        }
        storm.runningWriters.wrappingSubtract(1, ordering: .releasing)
      }
    }
    var next = Array(repeating: 0, count: writers)
    var isRight = true
    while true {
      let isLast = storm.runningWriters.load(ordering: .acquiring) == 0
      while let message = storm.queue.pop() {
        isRight = isRight && message.isWhole && message.number == next[message.writer]
        next[message.writer] = message.number + 1
      }
      if isLast { break }
      rest()
    }
    for thread in threads { thread.join() }
    #expect(isRight)
    #expect(next == Array(repeating: count, count: writers))
  }

  /// The compiler rejects this function if the generic code counts references, allocates or locks.
  @_noLocks
  private static func exchange(_ queue: borrowing MessageQueue<Message>, _ message: Message)
    -> Int
  {
    guard queue.push(message), let back = queue.pop() else { return 0 }
    return back.number
  }

  @Test("uses no heap", .enabled(if: heap_is_counted()))
  func heap() {
    let queue = MessageQueue<Message>(capacity: 16)
    var sum = Self.exchange(queue, Message(writer: 0, number: 1))
    let before = heap_operations()
    for number in 0..<100 { sum += Self.exchange(queue, Message(writer: 0, number: number)) }
    #expect(heap_operations() == before)
    #expect(sum == 4_951)
  }
}
