// SPDX-License-Identifier: Apache-2.0

/// What coefficients of filters need, in double precision: sums and products in a fixed order, so that
/// every processor gives the same bits, and nothing of the C library.
///
/// Each is a power series cut off where the rest is below the precision of Double; the errors named
/// are the largest of a million places.
enum FilterMath {
  /// Two to the power of `value`, which is taken as at least -1000 and at most 1000; relative error
  /// below 1e-14. [any thread]
  @inline(__always) @_noLocks
  static func exp2(_ value: Double) -> Double {
    let x = value > -1000 ? (value < 1000 ? value : 1000) : -1000
    // Added to this number, what lies behind the point is rounded away.
    let whole = (x + 0x1.8p52) - 0x1.8p52
    let t = (x - whole) * 0.693_147_180_559_945_309
    var p = 1 + t * (1.0 / 12)
    p = 1 + t * (1.0 / 11) * p
    p = 1 + t * (1.0 / 10) * p
    p = 1 + t * (1.0 / 9) * p
    p = 1 + t * (1.0 / 8) * p
    p = 1 + t * (1.0 / 7) * p
    p = 1 + t * (1.0 / 6) * p
    p = 1 + t * (1.0 / 5) * p
    p = 1 + t * (1.0 / 4) * p
    p = 1 + t * (1.0 / 3) * p
    p = 1 + t * (1.0 / 2) * p
    p = 1 + t * p
    return p * Double(bitPattern: UInt64(Int64(whole) + 1023) << 52)
  }

  /// Logarithm to the base two of a normal number above zero; error below 1e-14, or that part of the
  /// result. [any thread]
  @_noLocks
  static func log2(_ value: Double) -> Double {
    // The mantissa lies between sqrt(1/2) and sqrt(2).
    let root: Int64 = 0x3fe6_a09e_667f_3bcd
    let exponent = (Int64(bitPattern: value.bitPattern) &- root) >> 52
    let mantissa = Double(bitPattern: value.bitPattern &- UInt64(bitPattern: exponent << 52))
    let s = (mantissa - 1) / (mantissa + 1)
    return Double(exponent) + hyperbolicArcTangent(s) * (2 / 0.693_147_180_559_945_309)
  }

  /// Of magnitudes up to 0.18.
  @_noLocks
  private static func hyperbolicArcTangent(_ s: Double) -> Double {
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
    return s + s * z * p
  }

  /// Gain of a level in decibels; relative error below 1e-13. [any thread]
  @_noLocks
  static func gain(decibels: Double) -> Double {
    exp2(decibels * 0.166_096_404_744_368_117)
  }

  /// Sine and cosine of an angle of -1/4 to 1/4 of a half turn; error below 1e-15.
  @_noLocks
  private static func sineAndCosine(halfTurns: Double) -> (sine: Double, cosine: Double) {
    let angle = halfTurns * .pi
    let z = angle * angle
    var s = 1 - z * (1.0 / 272)
    s = 1 - z * (1.0 / 210) * s
    s = 1 - z * (1.0 / 156) * s
    s = 1 - z * (1.0 / 110) * s
    s = 1 - z * (1.0 / 72) * s
    s = 1 - z * (1.0 / 42) * s
    s = 1 - z * (1.0 / 20) * s
    s = 1 - z * (1.0 / 6) * s
    var c = 1 - z * (1.0 / 240)
    c = 1 - z * (1.0 / 182) * c
    c = 1 - z * (1.0 / 132) * c
    c = 1 - z * (1.0 / 90) * c
    c = 1 - z * (1.0 / 56) * c
    c = 1 - z * (1.0 / 30) * c
    c = 1 - z * (1.0 / 12) * c
    c = 1 - z * (1.0 / 2) * c
    return (angle * s, c)
  }

  /// Tangent of `halfTurns` times pi, for 0 up to below 1/2; relative error below 1e-14. [any thread]
  @_noLocks
  static func tangent(halfTurns: Double) -> Double {
    guard halfTurns > 0.25 else {
      let (sine, cosine) = sineAndCosine(halfTurns: halfTurns)
      return sine / cosine
    }
    let (sine, cosine) = sineAndCosine(halfTurns: 0.5 - halfTurns)
    return cosine / sine
  }

  /// The place from 0 to 1/2 whose `tangent` is `value`, above zero; relative error below 1e-13.
  /// [any thread]
  @_noLocks
  static func halfTurns(ofTangent value: Double) -> Double {
    guard value <= 1 else { return 0.5 - halfTurns(ofTangent: 1 / value) }
    // Halved twice, the angle is small enough for the series.
    var x = value
    x = x / (1 + Math.squareRoot(1 + x * x))
    x = x / (1 + Math.squareRoot(1 + x * x))
    let z = x * x
    var p: Double = 1.0 / 19
    p = 1.0 / 17 - p * z
    p = 1.0 / 15 - p * z
    p = 1.0 / 13 - p * z
    p = 1.0 / 11 - p * z
    p = 1.0 / 9 - p * z
    p = 1.0 / 7 - p * z
    p = 1.0 / 5 - p * z
    p = 1.0 / 3 - p * z
    return (x - x * z * p) * (4 / .pi)
  }
}
