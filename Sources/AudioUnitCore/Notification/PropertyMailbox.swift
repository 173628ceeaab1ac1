// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The queue of messages from render threads to the notifier. Its memory is never freed.
struct PropertyMailbox: BitwiseCopyable, @unchecked Sendable {
  /// A property of a unit changed.
  struct Message {
    var handle: UInt
    var property: AudioUnitPropertyID
  }

  private let queue: UnsafeMutablePointer<BoundedQueue>

  static func allocate() -> Self {
    Self(queue: .cell(BoundedQueue(capacity: 1024)))
  }

  /// [render thread] Reports that a property changed. The message is lost if the queue is full
  /// (1,024 messages).
  @_noLocks
  func post(_ handle: UInt, _ id: AudioUnitPropertyID) {
    _ = queue.pointee.push((UInt64(handle), UInt64(id), 0, 0, 0, 0, 0))
  }

  /// [notifier] Removes and returns the oldest message.
  func next() -> Message? {
    queue.pointee.pop().map {
      Message(handle: UInt($0.0), property: AudioUnitPropertyID(truncatingIfNeeded: $0.1))
    }
  }
}
