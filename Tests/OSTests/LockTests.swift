// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Testing
import os.lock

@Suite("os_unfair_lock")
struct LockTests {
  /// A lock in memory of its own, and a count that it guards.
  private final class Counter: @unchecked Sendable {
    let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
    var count = 0

    init() { lock.initialize(to: os_unfair_lock()) }
    deinit { lock.deallocate() }
  }

  @Test("lets one thread at a time go on")
  func excludes() {
    let counter = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<2000 {
        os_unfair_lock_lock(counter.lock)
        counter.count += 1
        os_unfair_lock_unlock(counter.lock)
      }
    }
    #expect(counter.count == 16_000)
    #expect(os_unfair_lock_trylock(counter.lock) && !os_unfair_lock_trylock(counter.lock))
    os_unfair_lock_assert_owner(counter.lock)
    os_unfair_lock_unlock(counter.lock)
    os_unfair_lock_assert_not_owner(counter.lock)
    #expect(counter.lock.pointee._os_unfair_lock_opaque == 0)
  }

  @Test("guards a state")
  func allocated() async {
    let lock = OSAllocatedUnfairLock(initialState: 0)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { lock.withLock { $0 += 1 } } }
      }
    }
    #expect(lock.withLock { $0 } == 4000)
    #expect(lock.withLockIfAvailable { $0 } == 4000)
    let plain = OSAllocatedUnfairLock()
    plain.lock()
    #expect(!plain.lockIfAvailable())
    plain.precondition(.owner)
    plain.unlock()
    plain.precondition(.notOwner)
    #expect(plain.withLock { 3 } == 3)
    // An error leaves the lock free.
    #expect(throws: CancellationError.self) {
      try lock.withLock { _ in throw CancellationError() }
    }
    #expect(lock.withLockIfAvailable { $0 } != nil)
  }

  @Test("ends the program with a sentence if a thread locks twice")
  func twice() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
    ) {
      var lock = os_unfair_lock()
      os_unfair_lock_lock(&lock)
      os_unfair_lock_lock(&lock)
    }
    #expect(try text(result) == "os_unfair_lock: this thread has the lock already\n")
  }

  @Test("ends the program with a sentence if a thread unlocks what it does not have")
  func unlocked() async throws {
    let free = await #expect(
      processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
    ) {
      var lock = os_unfair_lock()
      os_unfair_lock_unlock(&lock)
    }
    #expect(try text(free) == "os_unfair_lock: this thread does not have the lock\n")
    let others = await #expect(
      processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
    ) {
      let lock = OSAllocatedUnfairLock()
      lock.lock()
      var other = pthread_t()
      let box = Unmanaged.passRetained(lock as AnyObject)
      pthread_create(
        &other, nil,
        { argument in
          guard let argument else { return nil }
          let lock = Unmanaged<AnyObject>.fromOpaque(argument).takeRetainedValue()
          (lock as? OSAllocatedUnfairLock<Void>)?.unlock()
          return nil
        }, box.toOpaque())
      pthread_join(other, nil)
    }
    #expect(try text(others) == "os_unfair_lock: this thread does not have the lock\n")
  }

  private func text(_ result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }
}
