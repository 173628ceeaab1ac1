// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioSupport

@Suite("Published value")
struct PublishedTests {
  /// Notes which numbers have been freed.
  private final class Log {
    var freed: [Int] = []
  }

  /// A number in memory of its own.
  private struct Number: Publishable {
    let log: Log
    let memory: UnsafeMutablePointer<Int>

    init(_ number: Int, _ log: Log) {
      self.log = log
      memory = .cell(number)
    }

    var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(memory) }

    func deallocate() {
      log.freed.append(memory.pointee)
      memory.endCell()
    }
  }

  private func number(_ address: UnsafeMutableRawPointer?) -> Int? {
    address?.load(as: Int.self)
  }

  @Test("is the last one; a replaced one stays as long as a reader is active")
  func replacing() {
    let log = Log()
    do {
      let published = Published(Number(1, log))
      #expect(number(published.load()) == 1)
      published.publish(Number(2, log), isQuiet: { false })
      #expect(number(published.load()) == 2)
      #expect(log.freed.isEmpty && published.retiredCount == 1)
      published.publish(Number(3, log), isQuiet: { true })
      #expect(log.freed.sorted() == [1, 2] && published.retiredCount == 0)
    }
    #expect(log.freed.sorted() == [1, 2, 3], "the end of the owner frees the rest")
  }

  @Test("may be absent, at first and later")
  func absent() {
    let log = Log()
    let published = Published()
    #expect(number(published.loadIfAny()) == nil)
    published.publish(Number(1, log), in: { 0 })
    #expect(number(published.loadIfAny()) == 1)
    published.publish(nil, in: { 0 })
    #expect(number(published.loadIfAny()) == nil)
    published.freeRetired { true }
    #expect(log.freed == [1])
  }

  @Test("is taken back in the order in which its readers' rounds end")
  func rounds() {
    let log = Log()
    let published = Published(Number(1, log))
    published.publish(Number(2, log), in: { 10 })
    published.publish(Number(3, log), in: { 11 })
    for value in published.takeUnused(where: { _, round in round < 11 }) { value.deallocate() }
    #expect(log.freed == [1] && published.retiredCount == 1)
    let current = published.load()
    for value in published.takeUnused(where: { address, _ in address != current }) {
      value.deallocate()
    }
    #expect(log.freed == [1, 2] && number(published.load()) == 3)
  }

  @Test("that is prepared keeps all others until its preparation is finished")
  func preparing() {
    let log = Log()
    let published = Published(Number(1, log))
    let next = Number(2, log)
    let old = published.prepare(next)
    #expect(number(published.load()) == 1)
    published.freeRetired { true }
    #expect(log.freed.isEmpty)
    published.replace(old, by: UInt(bitPattern: next.address))
    published.replace(old, by: 0)
    #expect(number(published.load()) == 2, "the second replacement comes too late")
    published.finishPreparation(isQuiet: { true })
    #expect(log.freed == [1])
  }
}
