// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import Glibc
import Testing

@testable import AudioQueues

@Suite("Access to a queue")
struct QueueAccessTests {
  @Test("halts the threads that use buffers while a function runs, and not after it")
  func halting() throws {
    let access = QueueAccess()
    let wasHalted = try access.whileHalted { access.bufferUse.isHaltedByThisThread }
    #expect(wasHalted && !access.bufferUse.isHalted)
  }

  @Test("refuses to halt the thread that uses the buffers on that thread, but gives it control")
  func inside() {
    let access = QueueAccess()
    access.bufferUse.begin()
    #expect(access.isInTapCallback)
    #expect(throws: AudioError.self) { try access.whileHalted {} }
    #expect(throws: AudioError.self) { try access.requireNoTapCallback() }
    #expect(throws: Never.self) { try access.controlling {} }
  }

  @Test("counts a stop while it waits for control, so that a start ends its waiting")
  func stops() throws {
    for isStart in [false, true] {
      let access = QueueAccess()
      access.control.lock()
      let waiting = OwnThread { try? access.controlling(isStart: isStart) {} }
      if isStart {
        usleep(10_000)
        #expect(access.lock.withLock { access.stopRequests } == 0)
      } else {
        #expect(wait { access.lock.withLock { access.stopRequests == 1 } })
      }
      access.control.unlock()
      _ = waiting.join()
      #expect(access.lock.withLock { access.stopRequests } == 0)
    }
  }

  @Test("allows changes of fixed settings only while the queue is stopped")
  func stopped() throws {
    let access = QueueAccess()
    try access.requireStopped()
    for state in [QueueState.running, .paused, .stopping, .disposing] {
      access.state = state
      #expect(throws: AudioError.self) { try access.requireStopped() }
    }
  }
}
