// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// Messages from render threads to the notifier: a pointer to a queue that lives as long as the
/// process.
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

  /// [render thread] Says that a property changed. Lost when a thousand messages wait.
  @_noLocks
  func post(_ handle: UInt, _ id: AudioUnitPropertyID) {
    _ = queue.pointee.push((UInt64(handle), UInt64(id), 0, 0, 0, 0, 0))
  }

  /// [notifier] The oldest message.
  func next() -> Message? {
    queue.pointee.pop().map {
      Message(handle: UInt($0.0), property: AudioUnitPropertyID(truncatingIfNeeded: $0.1))
    }
  }
}
