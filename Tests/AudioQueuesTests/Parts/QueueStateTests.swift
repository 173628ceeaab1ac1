// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioQueues

@Suite("State of a queue")
struct QueueStateTests {
  private static let all: [QueueState] = [
    .stopped, .running, .lost, .paused, .stopping, .disposing,
  ]

  @Test("counts as started from the start until all buffers have been returned")
  func started() {
    #expect(Self.all.filter(\.hasStarted) == [.running, .lost, .paused, .stopping])
    #expect(Self.all.filter(\.isActive) == [.running, .lost, .paused])
    #expect(Self.all.filter(\.runs) == [.running, .lost])
  }

  @Test("begins to stop once, and only while it is active")
  func stopping() {
    for state in Self.all {
      var changed = state
      let (first, second) = (changed.beginStop(), changed.beginStop())
      #expect(first == state.isActive && !second)
      #expect(changed == (state.isActive ? .stopping : state))
    }
  }

  @Test("is final after disposal")
  func final() {
    for state in Self.all {
      var disposed = QueueState.disposing
      disposed.move(to: state)
      #expect(disposed == .disposing)
      var running = QueueState.running
      running.move(to: state)
      #expect(running == state)
    }
  }
}
