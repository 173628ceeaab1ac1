// SPDX-License-Identifier: Apache-2.0

/// A parameter change, at a frame counted from the start of the next render.
package struct ParameterChange: BitwiseCopyable {
  var store: ParameterStore
  var slot: Int32
  /// The frame at which it begins; below zero if it began in an earlier render.
  var offset: Int32
  /// The length of a ramp in frames; zero for an immediate change.
  var duration: UInt32
  var from: Float
  var to: Float

  @_noLocks
  init(
    store: ParameterStore, slot: Int32, offset: Int32, duration: UInt32, from: Float, to: Float
  ) {
    self.store = store
    self.slot = slot
    self.offset = offset
    self.duration = duration
    self.from = from
    self.to = to
  }

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
