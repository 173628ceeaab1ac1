// SPDX-License-Identifier: Apache-2.0

/// Where a stream leaves its events: after it was closed none comes any more.
final class EventOutlet: Sendable {
  private let handler: Guarded<CycleHandler?>

  init(to handler: CycleHandler) { self.handler = Guarded(handler) }

  /// [any thread but the render thread] Tells the handler, unless it was closed.
  func tell(_ event: StreamEvent) { handler.withLock { $0?.streamChanged(event) } }

  /// [any thread] Waits for an event that is being told, and lets none follow.
  func close() { handler.withLock { $0 = nil } }
}
