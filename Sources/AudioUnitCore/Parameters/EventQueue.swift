// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// A parameter change, at a frame counted from the start of the next render.
struct ParameterChange: BitwiseCopyable {
  var store: ParameterStore
  var slot: Int32
  /// The frame at which it begins; below zero if it began in an earlier render.
  var offset: Int32
  /// The length of a ramp in frames; zero for an immediate change.
  var duration: UInt32
  var from: Float
  var to: Float

  /// The value `position` frames after the beginning.
  @_noLocks
  func value(at position: Int) -> Float {
    guard position < Int(duration) else { return to }
    let part = Float(position) / Float(duration)
    // Not from + (to - from) * part: that difference may be infinite, and may not end exactly at
    // `to`.
    return from * (1 - part) + to * part
  }

  /// The change at another sample rate, which is `ratio` times as high.
  @_noLocks
  func stretched(by ratio: Double) -> ParameterChange {
    var change = self
    change.offset = Int32(min(max(Double(offset) * ratio, -0x7FFF_FFFF), 0x7FFF_FFFF))
    change.duration = UInt32(min(Double(duration) * ratio, 0xFFFF_FFFF))
    return change
  }
}

extension ParameterChange {
  fileprivate var words: BoundedQueue.Words {
    @_noLocks get {
      (
        UInt64(UInt(bitPattern: store.address)),
        UInt64(UInt32(bitPattern: slot)) << 32 | UInt64(UInt32(bitPattern: offset)),
        UInt64(duration), UInt64(from.bitPattern) << 32 | UInt64(to.bitPattern), 0, 0, 0
      )
    }
  }

  @_noLocks
  fileprivate init?(_ words: BoundedQueue.Words) {
    guard let address = UnsafeMutableRawPointer(bitPattern: UInt(words.0)) else { return nil }
    store = ParameterStore(address: address)
    slot = Int32(bitPattern: UInt32(truncatingIfNeeded: words.1 >> 32))
    offset = Int32(bitPattern: UInt32(truncatingIfNeeded: words.1))
    duration = UInt32(truncatingIfNeeded: words.2)
    from = Float(bitPattern: UInt32(truncatingIfNeeded: words.3 >> 32))
    to = Float(bitPattern: UInt32(truncatingIfNeeded: words.3))
  }
}

/// Passes changes from any thread to the render thread. A pointer to memory that the unit owns.
package struct EventQueue: BitwiseCopyable, @unchecked Sendable {
  static var capacity: Int { @_noLocks get { 1024 } }

  private let queue: UnsafeMutablePointer<BoundedQueue>

  static func allocate() -> Self {
    Self(queue: .cell(BoundedQueue(capacity: capacity)))
  }

  func deallocate() { queue.endCell() }

  /// [any thread] Adds a change; false when the queue is full.
  @_noLocks
  func push(_ change: ParameterChange) -> Bool { queue.pointee.push(change.words) }

  /// [render thread] Removes and returns the oldest change.
  @_noLocks
  func pop() -> ParameterChange? {
    guard let words = queue.pointee.pop() else { return nil }
    return ParameterChange(words)
  }
}
