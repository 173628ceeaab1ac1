// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioSupport
import AudioTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Serial worker")
struct SerialWorkerTests {
  /// A job that blocks until it is released.
  private final class BlockingJob: Sendable {
    private let isOver = Flag()
    let hasBegun = Flag()

    func block() {
      hasBegun.raise()
      _ = wait { self.isOver.isRaised }
    }
    func release() { isOver.raise() }
  }

  @Test("runs its jobs one after the other, in order, and keeps no thread afterwards")
  func order() {
    let worker = SerialWorker(name: "test worker")
    let done = Guarded<[Int]>([])
    let inside = Atomic(0)
    let overlaps = Atomic(0)
    for number in 0..<200 {
      worker.perform {
        if inside.wrappingAdd(1, ordering: .relaxed).oldValue > 0 {
          overlaps.wrappingAdd(1, ordering: .relaxed)
        }
        done.withLock { $0.append(number) }
        inside.wrappingSubtract(1, ordering: .relaxed)
      }
    }
    #expect(wait { done.withLock { $0.count } == 200 })
    #expect(done.withLock { $0 } == Array(0..<200))
    #expect(overlaps.load(ordering: .relaxed) == 0)
    #expect(wait { worker.isIdle })
  }

  @Test("returns results, or nil after the timeout")
  func answers() {
    let worker = SerialWorker(name: "test worker")
    #expect(worker.result(within: 30) { _ in 42 } == 42)
    let blocker = BlockingJob()
    let answer = worker.result(within: 0.05) { _ in
      blocker.block()
      return 42
    }
    #expect(answer == nil)
    blocker.release()
    #expect(wait { worker.isIdle })
    #expect(worker.result(within: 30) { _ in 43 } == 43)
  }

  @Test("refuses work while a job hangs: nothing waits, and nothing piles up")
  func hangs() {
    let worker = SerialWorker(name: "test worker")
    let blocker = BlockingJob()
    worker.perform { blocker.block() }
    #expect(wait { blocker.hasBegun.isRaised })
    usleep(20_000)
    let runs = Atomic(0)
    for _ in 0..<1_000 {
      let answer = worker.result(within: 0.01) { _ in
        runs.wrappingAdd(1, ordering: .relaxed)
        return true
      }
      #expect(answer == nil)
    }
    blocker.release()
    #expect(wait { worker.isIdle })
    #expect(runs.load(ordering: .relaxed) == 0)
  }

  @Test("skips work that nobody waits for any more, and informs work that has begun")
  func abandoned() {
    let worker = SerialWorker(name: "test worker")
    let blocker = BlockingJob()
    let wasAwaited = Guarded<Bool?>(nil)
    let hasRun = Flag()
    let first = worker.result(within: 0.05) { isAwaited in
      blocker.block()
      wasAwaited.withLock { $0 = isAwaited() }
      return true
    }
    #expect(first == nil)
    // Its timeout is longer than the first job has lasted, but the job outlasts it, too.
    let second = OwnThread {
      worker.result(within: 1) { _ in
        hasRun.raise()
        return true
      }
    }
    #expect(second.join() == nil)
    blocker.release()
    #expect(wait { worker.isIdle })
    #expect(wasAwaited.withLock { $0 } == false)
    #expect(!hasRun.isRaised)
  }

  @Test("runs required work after a job that hangs, without waiting for it")
  func finish() {
    let worker = SerialWorker(name: "test worker")
    let blocker = BlockingJob()
    let isDone = Flag()
    worker.perform { blocker.block() }
    #expect(wait { blocker.hasBegun.isRaised })
    worker.finish(within: 0.05) { isDone.raise() }
    #expect(!isDone.isRaised)
    blocker.release()
    #expect(wait { isDone.isRaised })
  }
}
