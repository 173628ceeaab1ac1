// SPDX-License-Identifier: Apache-2.0

/// Powers and logarithms for the render path: additions and multiplications in a fixed order, so that
/// every processor gives the same bits, and no table, so that they run in vector lanes.
///
/// Minimax polynomials, fitted for least absolute error. A lane gives what the scalar form gives.
public enum Exponentials {
  /// Decibels in one unit of `log2` of an amplitude: 20 log10(2).
  public static var decibelsPerOctave: Float { @_noLocks get { 6.020_599_9 } }

  /// Logarithm to the base two of a normal number above zero. [any thread]
  ///
  /// Within 2e-7 of the result near one and two units in the last place elsewhere; exactly zero at
  /// one. Anything else gives a finite number without meaning.
  @inlinable @inline(__always) @_noLocks
  public static func log2(_ value: Float) -> Float {
    // Halves of the exponent's range around one: the mantissa lies between sqrt(1/2) and sqrt(2).
    let fromRoot = Int32(bitPattern: value.bitPattern) &- 0x3f35_04f3
    let exponent = fromRoot &>> 23
    let mantissa = Float(
      bitPattern: UInt32(bitPattern: (fromRoot & 0x007f_ffff) &+ 0x3f35_04f3))
    let t = mantissa - 1
    var p = t * -0x1.2a82f8p-3 + 0x1.e522aap-3
    p = p * t + -0x1.00100ap-2
    p = p * t + 0x1.2596ecp-2
    p = p * t + -0x1.70bafp-2
    p = p * t + 0x1.ec7b6p-2
    p = p * t + -0x1.7155b8p-1
    p = p * t + 0x1.715472p+0
    return p * t + Float(exponent)
  }

  /// As the scalar form, in eight lanes. [any thread]
  @inlinable @inline(__always) @_noLocks
  public static func log2(_ values: SIMD8<Float>) -> SIMD8<Float> {
    let bits = unsafeBitCast(values, to: SIMD8<Int32>.self)
    let fromRoot = bits &- 0x3f35_04f3
    let exponents = fromRoot &>> 23
    let mantissas = unsafeBitCast(
      (fromRoot & 0x007f_ffff) &+ 0x3f35_04f3, to: SIMD8<Float>.self)
    let t = mantissas - 1
    var p = t * -0x1.2a82f8p-3 + 0x1.e522aap-3
    p = p * t + -0x1.00100ap-2
    p = p * t + 0x1.2596ecp-2
    p = p * t + -0x1.70bafp-2
    p = p * t + 0x1.ec7b6p-2
    p = p * t + -0x1.7155b8p-1
    p = p * t + 0x1.715472p+0
    return p * t + SIMD8<Float>(exponents)
  }

  /// Two to the power of `value`, which is taken as at least -126 and at most 127. [any thread]
  ///
  /// Within one unit in the last place; exact for whole numbers.
  @inlinable @inline(__always) @_noLocks
  public static func exp2(_ value: Float) -> Float {
    var x = value > -126 ? value : -126
    x = x < 127 ? x : 127
    // Added to this number, what lies behind the point is rounded away.
    let shifted = x + 0x1.8p23
    let f = x - (shifted - 0x1.8p23)
    var p = f * 0x1.448fa4p-13 + 0x1.5f4774p-10
    p = p * f + 0x1.3b29aap-7
    p = p * f + 0x1.c6aedp-5
    p = p * f + 0x1.ebfbep-3
    p = p * f + 0x1.62e43p-1
    p = p * f + 1
    let exponent = shifted.bitPattern &+ 127
    return p * Float(bitPattern: exponent &<< 23)
  }

  /// As the scalar form, in eight lanes. [any thread]
  @inlinable @inline(__always) @_noLocks
  public static func exp2(_ values: SIMD8<Float>) -> SIMD8<Float> {
    let lowest = SIMD8<Float>(repeating: -126)
    let highest = SIMD8<Float>(repeating: 127)
    var x = lowest.replacing(with: values, where: values .> lowest)
    x = highest.replacing(with: x, where: x .< highest)
    let shifted = x + 0x1.8p23
    let f = x - (shifted - 0x1.8p23)
    var p = f * 0x1.448fa4p-13 + 0x1.5f4774p-10
    p = p * f + 0x1.3b29aap-7
    p = p * f + 0x1.c6aedp-5
    p = p * f + 0x1.ebfbep-3
    p = p * f + 0x1.62e43p-1
    p = p * f + 1
    let exponents = unsafeBitCast(shifted, to: SIMD8<UInt32>.self) &+ 127
    return p * unsafeBitCast(exponents &<< 23, to: SIMD8<Float>.self)
  }

  /// Two to the power of `value` in double precision, within two units in the last place; taken as at
  /// least -1022 and at most 1023. [any thread]
  @inlinable @_noLocks
  public static func exp2(_ value: Double) -> Double {
    var x = value > -1022 ? value : -1022
    x = x < 1023 ? x : 1023
    let shifted = x + 0x1.8p52
    let z = (x - (shifted - 0x1.8p52)) * 0x1.62e42fefa39efp-1
    // The series of e^z, whose fifteenth term is below 1e-18 here.
    var p = z * (1.0 / 87_178_291_200) + 1.0 / 6_227_020_800
    p = p * z + 1.0 / 479_001_600
    p = p * z + 1.0 / 39_916_800
    p = p * z + 1.0 / 3_628_800
    p = p * z + 1.0 / 362_880
    p = p * z + 1.0 / 40_320
    p = p * z + 1.0 / 5_040
    p = p * z + 1.0 / 720
    p = p * z + 1.0 / 120
    p = p * z + 1.0 / 24
    p = p * z + 1.0 / 6
    p = p * z + 0.5
    p = p * z + 1
    p = p * z + 1
    return p * Double(bitPattern: (shifted.bitPattern &+ 1023) &<< 52)
  }

  /// Gain of a level in decibels, in double precision. [any thread]
  @inlinable @_noLocks
  public static func gain(decibels: Double) -> Double { exp2(decibels * 0x1.542a5a12e1c5ap-3) }

  /// What is left after one frame of something that falls by a factor of e in `frames`. [any thread]
  @inlinable @_noLocks
  public static func decay(frames: Double) -> Double {
    frames > 0 ? exp2(-0x1.71547652b82fep+0 / frames) : 0
  }
}
