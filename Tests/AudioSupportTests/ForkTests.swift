// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CRealTime
import Glibc
import Synchronization
import Testing

@testable import AudioSupport

/// A flag that another thread raises.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }
  func raise() { value.store(true, ordering: .releasing) }
  func wait() { while !isRaised { usleep(100) } }
}

@Suite("Forks", .serialized)
struct ForkTests {
  private final class Thing: Disposable, Sendable {
    func stopCallbacks() {}
    func finishDisposal() {}
  }

  private let lock = Lock()
  private let condition = ConditionLock()
  private let guarded = Guarded<[Int]>([])
  private let worker = SerialWorker(name: "worker")

  /// Starts threads that are inside every kind of lock again and again until the flag is raised.
  private func busyThreads(_ isOver: Flag) -> [OwnThread<Void>] {
    [
      OwnThread { while !isOver.isRaised { lock.withLock { _ = usleep(50) } } },
      OwnThread {
        while !isOver.isRaised {
          atWork { guarded.withLock { $0 = $0.count > 1_000 ? [] : $0 + [1] } }
        }
      },
      OwnThread {
        condition.withLock {
          while !isOver.isRaised { condition.wait(until: rt_host_time() + 10_000_000) }
        }
      },
      OwnThread {
        while !isOver.isRaised {
          worker.perform { usleep(20) }
          usleep(30)
        }
      },
      OwnThread {
        while !isOver.isRaised {
          _ = status { () throws(AudioError) in throw .invalidArgument.because("a reason") }
        }
      },
    ]
  }

  @Test(
    "a child can use all locks and threads, whatever other threads were doing",
    .timeLimit(.minutes(60)))
  func locks() throws {
    let isOver = Flag()
    let threads = busyThreads(isOver)
    defer {
      isOver.raise()
      for thread in threads { thread.join() }
    }
    for _ in 0..<100 {
      let result = try forked {
        lock.withLock {}
        guarded.withLock { $0.append(2) }
        condition.withLock { condition.signal() }
        _ = condition.withLock { condition.wait(until: rt_host_time() + 1_000_000) }
        let done = WakeUp()
        worker.perform { done.raise() }
        done.wait()
        Notifier.shared.perform { done.raise() }
        done.wait()
        return worker.result(within: 30) { _ in 7 } ?? 1
      }
      #expect(result == 7)
    }
  }

  @Test("a child refuses what another thread was using, and devices")
  func handles() throws {
    let table = HandleTable<Thing, OpaquePointer>(kind: 0x7F)
    let (idle, busy) = (try table.insert(Thing()), try table.insert(Thing()))
    let (isInside, isOver) = (Flag(), Flag())
    let number = UInt(bitPattern: busy)
    let user = OwnThread {
      guard let busy = OpaquePointer(bitPattern: number) else { return }
      #expect(table.enter(busy) != nil)
      isInside.raise()
      while !isOver.isRaised { usleep(1_000) }
      table.leave(busy)
    }
    isInside.wait()
    let result = try forked {
      guard table.enter(idle) != nil, table.enter(busy) == nil else { return 1 }
      let status = deviceStatus { () throws(AudioError) in }
      let isExplained = Explanations.last?.contains("forked") == true
      return status == AudioError.invalidArgument.status && isExplained ? 42 : 2
    }
    #expect(result == 42)
    isOver.raise()
    user.join()
    #expect(table.enter(busy) != nil)
    table.leave(busy)
  }

  @Test("a fork waits half a second at most for a call that takes long")
  func patience() throws {
    let (isInside, isOver) = (Flag(), Flag())
    let slow = OwnThread {
      atWork {
        isInside.raise()
        while !isOver.isRaised { usleep(1_000) }
      }
    }
    isInside.wait()
    // It would never return if it waited for the thread.
    #expect(try forked { lock.withLock { 42 } } == 42)
    isOver.raise()
    slow.join()
  }
}
