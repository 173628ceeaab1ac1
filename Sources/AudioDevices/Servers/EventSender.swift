// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// Sends a stream's events to its handler until it is closed.
final class EventSender: Sendable {
  private let handler: Guarded<CycleHandler?>
  private let sendingThread = Atomic<UInt64>(0)

  init(to handler: CycleHandler) { self.handler = Guarded(handler) }

  /// [any thread] Whether the caller runs inside the handler of an event.
  var isSendingOnCurrentThread: Bool { sendingThread.load(ordering: .acquiring) == rt_thread_id() }

  /// [any thread but a render thread] Sends an event to the handler, unless this is closed.
  func send(_ event: StreamEvent) {
    handler.withLock { handler in
      sendingThread.store(rt_thread_id(), ordering: .releasing)
      handler?.streamChanged(event)
      sendingThread.store(0, ordering: .releasing)
    }
  }

  /// [any thread] Waits for an event that is being sent, and blocks later ones.
  func close() { handler.withLock { $0 = nil } }
}
