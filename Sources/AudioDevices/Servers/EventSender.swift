// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// The outlet for a stream's events: after it is closed, none follows.
final class EventSender: Sendable {
  private let handler: Guarded<CycleHandler?>
  private let sendingThread = Atomic<UInt64>(0)

  init(to handler: CycleHandler) { self.handler = Guarded(handler) }

  /// [any thread] Whether an event is calling the caller.
  var isSendingOnCurrentThread: Bool { sendingThread.load(ordering: .acquiring) == rt_thread_id() }

  /// [any thread but the render thread] Sends the handler an event, unless it was closed.
  func send(_ event: StreamEvent) {
    handler.withLock { handler in
      sendingThread.store(rt_thread_id(), ordering: .releasing)
      handler?.streamChanged(event)
      sendingThread.store(0, ordering: .releasing)
    }
  }

  /// [any thread] Waits for an event that is being reported, and blocks later ones.
  func close() { handler.withLock { $0 = nil } }
}
