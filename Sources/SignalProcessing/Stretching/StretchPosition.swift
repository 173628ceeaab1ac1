// SPDX-License-Identifier: Apache-2.0

/// A position in frames, exact to 2^-40 of a frame, that advances by steps.
///
/// Fixed-point, so that the position does not depend on the sizes of the slices.
struct StretchPosition: BitwiseCopyable {
  private(set) var whole = 0
  private var fraction: UInt64 = 0

  @_noLocks
  init() {}

  /// [render thread] A step of `frames` frames, 0 to 4096.
  @_noLocks @inline(__always)
  static func step(_ frames: Double) -> UInt64 { UInt64(frames * 0x1p40) }

  /// Frames since the first one.
  var value: Double { @_noLocks get { Double(whole) + Double(fraction) * 0x1p-40 } }
  /// The fraction of a frame.
  var part: Double { @_noLocks get { Double(fraction) * 0x1p-40 } }
  var isWhole: Bool { @_noLocks get { fraction == 0 } }

  /// [render thread] Advances by `count` equal steps, at most 4096.
  @_noLocks @inline(__always)
  mutating func advance(_ step: UInt64, count: Int = 1) {
    fraction &+= step &* UInt64(count)
    whole &+= Int(fraction >> 40)
    fraction &= 1 << 40 - 1
  }
}
