// SPDX-License-Identifier: Apache-2.0

/// Simple operations on runs of samples.
public enum Samples {
  /// Silences `count` samples. [any thread]
  @_noLocks
  public static func clear(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    samples.initialize(repeating: 0, count: count)
  }

  /// Copies `count` samples between places that do not overlap. [any thread]
  @_noLocks
  public static func copy(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    UnsafeMutableRawPointer(destination)
      .copyMemory(from: source, byteCount: count * MemoryLayout<Float>.stride)
  }

  /// Copies `count` samples between places that may overlap. [any thread]
  @_noLocks
  public static func move(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, count: Int
  ) {
    // A raw copy allows for overlap.
    copy(source, to: destination, count: count)
  }

  /// Largest magnitude among `count` samples; a NaN counts as nothing. [any thread]
  @_noLocks
  public static func peak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    var peaks = SIMD8<Float>.zero
    var index = 0
    while index &+ 8 <= count {
      let words = UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<UInt32>.self)
      let magnitudes = unsafeBitCast(words & 0x7fff_ffff, to: SIMD8<Float>.self)
      // A NaN is not above anything.
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

  /// The largest magnitude that is taken for sound: beyond it lies only what went wrong.
  public static var loudest: Float { @_noLocks get { 0x1p64 } }

  /// Silences those of `count` samples that are no numbers or louder than sound can be: what goes
  /// round in a feedback loop would stay there. [any thread]
  @_noLocks
  public static func discardUnusable(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    // Magnitudes of floats order like their bits, and those of NaN lie above all; what is larger than
    // 2^64 carries into the sign when the rest of the way to it is added.
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

  /// True when all of `count` samples are zero, of either sign. [any thread]
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
    // Half by half: the order of the additions is then the same everywhere.
    let four = sums.lowHalf + sums.highHalf
    var energy = (four.x + four.z) + (four.y + four.w)
    while index < count {
      energy += samples[index] * samples[index]
      index &+= 1
    }
    return (energy, peak(samples, count: count))
  }
}
