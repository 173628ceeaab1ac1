// SPDX-License-Identifier: Apache-2.0

/// A place among frames, exact to 2^-40 of one, which moves on by steps.
///
/// Whole numbers: where it is does not depend on how the frames were cut into calls.
struct StretchPlace: BitwiseCopyable {
  private(set) var whole = 0
  private var fraction: UInt64 = 0

  /// [render thread] A step of so many frames, 0 to 4096.
  @_noLocks @inline(__always)
  static func step(_ frames: Double) -> UInt64 { UInt64(frames * 0x1p40) }

  /// Frames from the first on.
  var value: Double { @_noLocks get { Double(whole) + Double(fraction) * 0x1p-40 } }
  /// The same within a frame.
  var part: Double { @_noLocks get { Double(fraction) * 0x1p-40 } }
  var isWhole: Bool { @_noLocks get { fraction == 0 } }

  /// [render thread] Takes `count` equal steps, at most 4096.
  @_noLocks @inline(__always)
  mutating func advance(_ step: UInt64, count: Int = 1) {
    fraction &+= step &* UInt64(count)
    whole &+= Int(fraction >> 40)
    fraction &= 1 << 40 - 1
  }
}
