// SPDX-License-Identifier: Apache-2.0

/// Simple operations on runs of samples.
public enum Samples {
  /// Silences `count` samples. [any thread]
  @_noLocks
  public static func clear(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    samples.initialize(repeating: 0, count: count)
  }

  /// Copies `count` samples between buffers that do not overlap. [any thread]
  @_noLocks
  public static func copy(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    UnsafeMutableRawPointer(destination)
      .copyMemory(from: source, byteCount: count * MemoryLayout<Float>.stride)
  }

  /// Copies `count` samples between buffers that may overlap. [any thread]
  @_noLocks
  public static func move(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    // A raw copy allows for overlap.
    copy(source, to: destination, count: count)
  }

  /// Largest magnitude of `count` samples; NaN is ignored. [any thread]
  @_noLocks
  public static func peak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    var peaks = SIMD8<Float>.zero
    var index = 0
    while index &+ 8 <= count {
      let words = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<UInt32>.self)
      let magnitudes = unsafeBitCast(words & 0x7fff_ffff, to: SIMD8<Float>.self)
      // No comparison with NaN is true.
      peaks.replace(with: magnitudes, where: magnitudes .> peaks)
      index &+= 8
    }
    var peak: Float = 0
    for lane in 0..<8 where peaks[lane] > peak { peak = peaks[lane] }
    while index < count {
      let magnitude = samples[index].magnitude
      if magnitude > peak { peak = magnitude }
      index &+= 1
    }
    return peak
  }

  /// The largest magnitude that counts as sound; anything above is an error.
  public static var loudest: Float { @_noLocks get { 0x1p64 } }

  /// Silences those of `count` samples that are NaN or exceed `loudest`: in a feedback loop they
  /// would stay. [any thread]
  @_noLocks
  public static func discardUnusable(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    // Magnitudes of floats are ordered like their bits, with NaN above all others. Adding the
    // difference to the sign bit makes everything above 2^64 carry into the sign.
    var signs = SIMD16<UInt32>.zero
    var index = 0
    while index &+ 16 <= count {
      let words = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD16<UInt32>.self)
      signs |= (words & 0x7fff_ffff) &+ 0x207f_ffff
      index &+= 16
    }
    if signs & 0x8000_0000 != .zero { index = 0 }
    while index < count {
      if !(samples[index].magnitude <= loudest) { samples[index] = 0 }
      index &+= 1
    }
  }

  /// Whether all of `count` samples are zero, of either sign. [any thread]
  @_noLocks
  public static func areSilent(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    var index = 0
    while index &+ 16 <= count {
      let words = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD16<UInt32>.self)
      if (words & 0x7fff_ffff) != .zero { return false }
      index &+= 16
    }
    while index < count {
      if samples[index] != 0 { return false }
      index &+= 1
    }
    return true
  }

  /// Sum of the squares and largest magnitude of `count` samples. [any thread]
  @_noLocks
  public static func energyAndPeak(_ samples: UnsafePointer<Float>, count: Int) -> (
    energy: Float, peak: Float
  ) {
    var sums = SIMD8<Float>.zero
    var index = 0
    while index &+ 8 <= count {
      let values = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Float>.self)
      sums += values * values
      index &+= 8
    }
    // In halves, so that the order of the additions is the same everywhere.
    let four = sums.lowHalf + sums.highHalf
    var energy = (four.x + four.z) + (four.y + four.w)
    while index < count {
      energy += samples[index] * samples[index]
      index &+= 1
    }
    return (energy, peak(samples, count: count))
  }
}
