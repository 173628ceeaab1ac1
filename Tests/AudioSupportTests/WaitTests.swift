// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CRealTime
import Testing

@testable import AudioSupport

@Suite("Threads and waits")
struct WaitTests {
  @Test("a flag that was raised before the wait ends it, once")
  func raisedBefore() {
    let flag = WakeUp()
    flag.raise()
    flag.wait()
    let isRaised = flag.lower()
    #expect(!isRaised)
  }

  @Test("a wait ends at its time if nobody raises the flag")
  func end() {
    let flag = WakeUp()
    let time = rt_host_time() + 1_000_000
    flag.wait(until: time)
    #expect(rt_host_time() >= time)
  }

  @Test("a holder of a condition lock sees each change of another thread")
  func changes() {
    let lock = ConditionLock()
    final class Turn: @unchecked Sendable { var number = 0 }
    let turn = Turn()
    let other = OwnThread {
      for number in 0..<1_000 {
        lock.withLock {
          while turn.number != 2 * number + 1 { lock.wait() }
          turn.number += 1
          lock.signal()
        }
      }
    }
    for number in 0..<1_000 {
      lock.withLock {
        while turn.number != 2 * number { lock.wait() }
        turn.number += 1
        lock.signal()
      }
    }
    other.join()
    let number = turn.number
    #expect(number == 2_000)
  }

  @Test("polling ends with the change, or at its time")
  func polling() {
    var checks = 0
    let hasEnded = waitPolling(every: 1) {
      checks += 1
      return checks < 3
    }
    #expect(hasEnded && checks == 3)
    let isOver = waitPolling(every: 1, until: rt_host_time() + 1_000_000) { true }
    #expect(!isOver)
  }

  @Test("a stopped thread has ended, and keeps nothing alive")
  func thread() throws {
    final class Kept: Sendable {}
    weak var weakKept: Kept?
    let thread: WorkerThread
    let hasRun = WakeUp()
    do {
      let kept = Kept()
      weakKept = kept
      thread = WorkerThread(name: "test thread") { thread in
        withExtendedLifetime(kept) {
          hasRun.raise()
          while thread.sleep(until: .max) {}
        }
      }
    }
    try thread.start()
    hasRun.wait()
    #expect(!thread.isCurrent && thread.scheduling == .offline)
    thread.stop()
    #expect(weakKept == nil)
  }
}
