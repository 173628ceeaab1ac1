// SPDX-License-Identifier: Apache-2.0

/// The level that dynamics follow: the largest magnitude of all channels in each frame. All
/// channels get the same gain, so that the stereo image does not move.
public enum LinkedLevel {
  /// Raises `levels` to the magnitudes of `samples`; with `isFirst` it overwrites them.
  /// [any thread]
  ///
  /// Samples beyond the limit, and NaN, are set to zero in `samples`.
  @_noLocks
  public static func raise(
    _ levels: UnsafeMutablePointer<Float>, by samples: UnsafeMutablePointer<Float>, count: Int,
    isFirst: Bool
  ) {
    if isFirst { Samples.clear(levels, count: count) }
    if !raise(levels, by: samples, count: count) {
      Samples.discardUnusable(samples, count: count)
      if isFirst { Samples.clear(levels, count: count) }
      _ = raise(levels, by: samples, count: count)
    }
  }

  /// Returns false if a sample was unusable; `levels` then ignore it.
  @_noLocks
  private static func raise(
    _ levels: UnsafeMutablePointer<Float>, by samples: UnsafePointer<Float>, count: Int
  ) -> Bool {
    let limits = SIMD8<Float>(repeating: Samples.loudest)
    var bad = SIMDMask<SIMD8<Int32>>(repeating: false)
    var index = 0
    while index &+ 8 <= count {
      let words = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<UInt32>.self)
      let magnitudes = unsafeBitCast(words & 0x7fff_ffff, to: SIMD8<Float>.self)
      let before = UnsafeRawPointer(levels + index).loadUnaligned(as: SIMD8<Float>.self)
      bad = bad .| .!(magnitudes .<= limits)
      let after = before.replacing(
        with: magnitudes, where: (magnitudes .> before) .& (magnitudes .<= limits))
      UnsafeMutableRawPointer(levels + index).storeBytes(of: after, as: SIMD8<Float>.self)
      index &+= 8
    }
    var isSound = !any(bad)
    while index < count {
      let magnitude = samples[index].magnitude
      if !(magnitude <= Samples.loudest) {
        isSound = false
      } else if magnitude > levels[index] {
        levels[index] = magnitude
      }
      index &+= 1
    }
    return isSound
  }

  /// Multiplies `samples` by `gains`. [any thread]
  @_noLocks
  public static func scale(
    _ samples: UnsafeMutablePointer<Float>, by gains: UnsafePointer<Float>, count: Int
  ) {
    for index in 0..<count { samples[index] *= gains[index] }
  }
}
