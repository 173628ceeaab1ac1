// SPDX-License-Identifier: Apache-2.0
@testable import AudioSupport
import Testing

@Suite("Locks")
struct LockTests {
  @Test("a lock that is lent loses no job that waits for another lock, and keeps their order")
  func lentBesideAnother() {
    let (lendable, other) = (Lock(canYield: true), Lock())
    var jobs: [Int] = []
    other.withLock {
      lendable.withLock {
        AfterLocks.perform { jobs.append(1) }
        Lock.whileYielded { AfterLocks.perform { jobs.append(2) } }
        Lock.whileYielded {}
        AfterLocks.perform { jobs.append(3) }
      }
      #expect(jobs.isEmpty)
    }
    #expect(jobs == [1, 2, 3])
  }

  @Test("jobs inside a lent lock run at once, before those that wait for it")
  func lent() {
    let lendable = Lock(canYield: true)
    var jobs: [Int] = []
    lendable.withLock {
      AfterLocks.perform { jobs.append(1) }
      Lock.whileYielded { AfterLocks.perform { jobs.append(2) } }
      #expect(jobs == [2])
    }
    #expect(jobs == [2, 1])
  }

  @Test("jobs are freed once they have run")
  func freed() {
    final class Object {}
    weak var kept: Object?
    let (lendable, other) = (Lock(canYield: true), Lock())
    other.withLock {
      lendable.withLock {
        let object = Object()
        kept = object
        Lock.whileYielded { AfterLocks.perform { _ = object } }
      }
    }
    #expect(kept == nil)
  }
}
