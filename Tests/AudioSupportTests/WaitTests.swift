// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CRealTime
import Glibc
import Synchronization
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

  @Test("polling checks under the caller's locks, and pauses without them")
  func releasing() {
    var (holdsLock, pauses, checks) = (true, 0, 0)
    waitPolling(every: 1) {
      holdsLock = false
      $0()
      (holdsLock, pauses) = (true, pauses + 1)
    } while: {
      #expect(holdsLock)
      checks += 1
      return checks < 3
    }
    #expect(pauses == 2)
  }

  @Test("a job of the notifier runs when its time has come, after jobs that are due before")
  func delayedJob() {
    final class Runs: Sendable {
      let times = Guarded<[UInt64]>([])
      let done = WakeUp()
    }
    let runs = Runs()
    let begin = rt_host_time()
    Notifier.disposal.perform(after: 30_000_000) {
      runs.times.withLock { $0.append(rt_host_time()) }
      runs.done.raise()
    }
    Notifier.disposal.perform { runs.times.withLock { $0.append(0) } }
    runs.done.wait()
    let times = runs.times.withLock { $0 }
    #expect(times.count == 2 && times.first == 0)
    #expect(times.last ?? 0 >= begin + 30_000_000)
  }

  @Test("waking a check that has ended makes one check; it repeats as it asks")
  func periodicCheck() {
    final class Checks: Sendable { let count = Atomic(0) }
    let checks = Checks()
    let check = PeriodicCheck(name: "test checks") {
      checks.count.add(1, ordering: .relaxed).newValue == 2 ? 0.001 : nil
    }
    check.wake()
    #expect(wait { checks.count.load(ordering: .relaxed) == 1 })
    usleep(20_000)
    #expect(checks.count.load(ordering: .relaxed) == 1)
    check.wake()
    #expect(wait { checks.count.load(ordering: .relaxed) == 3 })
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
