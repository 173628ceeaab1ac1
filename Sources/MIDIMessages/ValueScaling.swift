// SPDX-License-Identifier: Apache-2.0

/// Conversions of values between the resolutions of MIDI 1.0 and MIDI 2.0.
///
/// The lowest, the centre and the highest value of one resolution become those of the other (UMP and
/// MIDI 2.0 Protocol specification of the MIDI Association, "min-center-max scaling"): up to the
/// centre a value is shifted; above it, its bits below the highest one also fill the lower bits, over
/// and over.
package enum ValueScaling {
  /// [any thread] A value of `from` bits with `to` bits, of which there are more.
  @_noLocks
  package static func widened(_ value: UInt32, from: UInt32, to: UInt32) -> UInt32 {
    let shift = to - from
    let result = value << shift
    guard value > 1 << (from - 1) else { return result }
    let width = from - 1
    let pattern = value & (1 << width - 1)
    var filled: UInt32 = 0
    var bits = shift
    while bits >= width {
      bits -= width
      filled |= pattern << bits
    }
    if bits > 0 { filled |= pattern >> (width - bits) }
    return result | filled
  }

  /// [any thread] By how many steps of the lower resolution a value is above the one that it becomes
  /// there; above the centre it may be below that. 0 for all that `widened` returns.
  @_noLocks
  package static func fraction(_ value: UInt32, from: UInt32, to: UInt32) -> Float {
    let step = value >> (to - from)
    let exact = widened(step, from: from, to: to)
    if value == exact { return 0 }
    // The highest value is exact, and up to the centre none is below.
    guard value < exact else {
      return Float(value - exact) / Float(widened(step + 1, from: from, to: to) - exact)
    }
    return -Float(exact - value) / Float(exact - widened(step - 1, from: from, to: to))
  }

  /// [any thread] A value of seven bits as one of sixteen.
  @_noLocks
  package static func velocity16(_ value: UInt32) -> UInt32 { widened(value, from: 7, to: 16) }

  /// [any thread] A value of seven bits as one of thirty-two.
  @_noLocks
  package static func value32(_ value: UInt32) -> UInt32 { widened(value, from: 7, to: 32) }

  /// [any thread] A value of fourteen bits as one of thirty-two.
  @_noLocks
  package static func value32(fourteenBits value: UInt32) -> UInt32 {
    widened(value, from: 14, to: 32)
  }
}
