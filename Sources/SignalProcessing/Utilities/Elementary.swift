// SPDX-License-Identifier: Apache-2.0

/// Elementary functions for the render thread: additions and multiplications in a fixed order, so
/// that every processor gives the same bits.
///
/// This file has powers and logarithms in double precision. Where equal bits do not matter, use the
/// C library through `Math`.
public enum Elementary {
  /// Two to the power of `value`, which is limited to -1022...1023; the error is two units in the
  /// last place. [any thread]
  @inlinable @inline(__always) @_noLocks
  public static func exp2(_ value: Double) -> Double {
    var x = value > -1022 ? value : -1022
    x = x < 1023 ? x : 1023
    // Adding this number rounds the fraction away.
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

  /// Logarithm to the base two of a normal number above zero; absolute or relative error below
  /// 1e-14. [any thread]
  @_noLocks
  public static func log2(_ value: Double) -> Double {
    // The mantissa is between sqrt(1/2) and sqrt(2).
    let root: Int64 = 0x3fe6_a09e_667f_3bcd
    let exponent = (Int64(bitPattern: value.bitPattern) &- root) >> 52
    let mantissa = Double(bitPattern: value.bitPattern &- UInt64(bitPattern: exponent << 52))
    // The series of the inverse hyperbolic tangent, for at most 0.172.
    let s = (mantissa - 1) / (mantissa + 1)
    let z = s * s
    var p: Double = 1.0 / 19
    p = p * z + 1.0 / 17
    p = p * z + 1.0 / 15
    p = p * z + 1.0 / 13
    p = p * z + 1.0 / 11
    p = p * z + 1.0 / 9
    p = p * z + 1.0 / 7
    p = p * z + 1.0 / 5
    p = p * z + 1.0 / 3
    return Double(exponent) + (s + s * z * p) * (2 / 0.693_147_180_559_945_309)
  }

  /// `base`, above zero, to the power of `exponent`. [any thread]
  @_noLocks
  public static func power(_ base: Double, _ exponent: Double) -> Double {
    exp2(exponent * log2(base))
  }

  /// Gain for a level in decibels. [any thread]
  @inlinable @_noLocks
  public static func gain(decibels: Double) -> Double { exp2(decibels * 0x1.542a5a12e1c5ap-3) }

  /// The factor per frame of a decay by a factor of e in `frames`. [any thread]
  @inlinable @_noLocks
  public static func decay(frames: Double) -> Double {
    frames > 0 ? exp2(-0x1.71547652b82fep+0 / frames) : 0
  }
}
