// SPDX-License-Identifier: Apache-2.0
import AudioSupport
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
    let access = QueueAccess()
    let counts = try access.controlling { access.stopRequests }
    let starts = try access.controlling(isStart: true) { access.stopRequests }
    #expect(counts == 0 && starts == 0)
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
