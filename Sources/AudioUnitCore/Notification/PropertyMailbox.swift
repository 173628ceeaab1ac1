// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// The properties that render threads found changed: a pointer to a queue that lives as long as the
/// process. The notifier looks into it and calls the listeners.
struct PropertyMailbox: BitwiseCopyable, @unchecked Sendable {
  /// A property of a unit changed.
  struct Message {
    var handle: UInt
    var property: AudioUnitPropertyID
  }

  /// The one that the notifier looks into.
  static let shared: Self = {
    let mailbox = Self()
    Notifier.shared.addMailbox { while let message = mailbox.take() { deliver(message) } }
    return mailbox
  }()

  private let queue: UnsafeMutablePointer<BoundedQueue>

  private init() {
    queue = .allocate(capacity: 1)
    queue.initialize(to: BoundedQueue(capacity: 1024))
  }

  /// [render thread] Leaves word that a property changed. Lost when nobody has looked for a thousand
  /// messages.
  @_noLocks
  func post(_ handle: UInt, _ id: AudioUnitPropertyID) {
    _ = queue.pointee.push((UInt64(handle), UInt64(id), 0, 0, 0, 0, 0))
  }

  /// [notifier] The oldest message.
  private func take() -> Message? {
    queue.pointee.pop().map {
      Message(handle: UInt($0.0), property: AudioUnitPropertyID(truncatingIfNeeded: $0.1))
    }
  }

  private static func deliver(_ message: Message) {
    guard let handle = OpaquePointer(bitPattern: message.handle),
      let unit = Handles.units.enter(handle)
    else { return }
    defer { Handles.units.leave(handle) }
    (unit.takeUnretainedValue() as? NativeUnit)?.tellListeners(
      PropertyAddress(message.property, kAudioUnitScope_Global, 0))
  }
}
