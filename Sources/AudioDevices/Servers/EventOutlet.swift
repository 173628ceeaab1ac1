// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// The outlet for a stream's events: after it was closed none comes any more.
final class EventOutlet: Sendable {
  private let handler: Guarded<CycleHandler?>
  private let teller = Atomic<UInt64>(0)

  init(to handler: CycleHandler) { self.handler = Guarded(handler) }

  /// [any thread] Whether the caller is called by an event.
  var isTellingHere: Bool { teller.load(ordering: .acquiring) == rt_thread_id() }

  /// [any thread but the render thread] Tells the handler, unless it was closed.
  func tell(_ event: StreamEvent) {
    handler.withLock { handler in
      teller.store(rt_thread_id(), ordering: .releasing)
      handler?.streamChanged(event)
      teller.store(0, ordering: .releasing)
    }
  }

  /// [any thread] Waits for an event that is being reported, and blocks later ones.
  func close() { handler.withLock { $0 = nil } }
}
