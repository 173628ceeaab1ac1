// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio

/// A queue of messages from render threads to listeners, which the notifier's thread reads. It
/// lives as long as the process.
struct EventReportQueue: @unchecked Sendable {  // many writers, one reader
  private let queue: UnsafeMutablePointer<BoundedQueue>

  init() {
    queue = .allocate(capacity: 1)
    queue.initialize(to: BoundedQueue(capacity: 1_024))
  }

  /// [render thread] Adds a report. It is lost if a thousand are pending.
  @_noLocks
  func post(_ report: EventReport) { _ = queue.pointee.push(report.words) }

  /// [notifier] Removes and returns the oldest report.
  func next() -> EventReport? { queue.pointee.pop().map(EventReport.init) }
}

extension EventReport {
  fileprivate var words: BoundedQueue.Words {
    @_noLocks get {
      (
        UInt64(event.unit), UInt64(event.type.rawValue) << 32 | UInt64(event.id),
        UInt64(event.scope) << 32 | UInt64(event.element), UInt64(sender), UInt64(senderObject),
        hostTime, UInt64(value.bitPattern)
      )
    }
  }

  fileprivate init(_ words: BoundedQueue.Words) {
    event = ListenedEvent(
      AudioUnitEventType(rawValue: UInt32(words.1 >> 32)) ?? .parameterValueChange,
      unit: UInt(words.0), id: UInt32(truncatingIfNeeded: words.1),
      scope: UInt32(words.2 >> 32), element: UInt32(truncatingIfNeeded: words.2))
    sender = UInt(words.3)
    senderObject = UInt(words.4)
    hostTime = words.5
    value = Float(bitPattern: UInt32(truncatingIfNeeded: words.6))
  }
}
