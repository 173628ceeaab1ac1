// SPDX-License-Identifier: Apache-2.0

// Sines, tangents and inverse functions: power series truncated where the rest is below the
// precision of Double. The stated errors are the largest at a million points.
extension Elementary {
  /// Sine of an angle in quarter turns, from -1 to 1; error below 1e-15. [any thread]
  @_noLocks
  public static func sine(quarters: Double) -> Double {
    let angle = quarters * 1.570_796_326_794_896_619
    let z = angle * angle
    var s = 1 - z * (1.0 / 506)
    s = 1 - z * (1.0 / 420) * s
    s = 1 - z * (1.0 / 342) * s
    s = 1 - z * (1.0 / 272) * s
    s = 1 - z * (1.0 / 210) * s
    s = 1 - z * (1.0 / 156) * s
    s = 1 - z * (1.0 / 110) * s
    s = 1 - z * (1.0 / 72) * s
    s = 1 - z * (1.0 / 42) * s
    s = 1 - z * (1.0 / 20) * s
    s = 1 - z * (1.0 / 6) * s
    return angle * s
  }

  /// Tangent of `halfTurns` times pi, for 0 up to below 1/2; relative error below 1e-14.
  /// [any thread]
  @_noLocks
  static func tangent(halfTurns: Double) -> Double {
    // The cosine is the sine of the complement.
    sine(quarters: 2 * halfTurns) / sine(quarters: 1 - 2 * halfTurns)
  }

  /// The angle in half turns, from 0 to 1/2, whose `tangent` is `value`, above zero; relative error
  /// below 1e-13. [any thread]
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

  /// Rounds towards zero and limits to -2^53...2^53; 0 for NaN. Unlike Swift's conversion, it
  /// accepts every value. [any thread]
  @inlinable @inline(__always) @_noLocks
  public static func whole(_ value: Double) -> Int {
    // NaN fails both comparisons.
    if value.magnitude < 0x1p53 { return Int(value) }
    return value > 0 ? 1 << 53 : value < 0 ? -(1 << 53) : 0
  }

  /// Seconds as whole nanoseconds: none for a negative time and NaN, at most 2^53, a hundred days.
  /// [any thread]
  @inlinable @inline(__always) @_noLocks
  public static func nanoseconds(_ seconds: Double) -> UInt64 {
    let whole = whole(seconds * 1e9)
    return whole > 0 ? UInt64(bitPattern: Int64(whole)) : 0
  }

  /// Rounds down, for magnitudes of up to 2^53; 0 for NaN. [any thread]
  @_noLocks
  static func floor(_ value: Double) -> Double {
    let whole = Double(whole(value))
    return whole > value ? whole - 1 : whole
  }

  /// Sine of an angle in degrees; 0 for meaninglessly large angles. [any thread]
  @_noLocks
  public static func sine(degrees: Float) -> Float {
    guard degrees.magnitude < 1e9 else { return 0 }
    let turns = Double(degrees) / 360
    return SineKernel.sine(ofPhase: UInt64((turns - floor(turns)) * 0x1p63) &<< 1)
  }

  /// Cosine of an angle in degrees. [any thread]
  @_noLocks
  public static func cosine(degrees: Float) -> Float { sine(degrees: 90 - degrees.magnitude) }

  /// Angle from 0 to pi whose cosine is `value`, which is limited to -1...1; NaN counts as 1.
  /// [any thread]
  ///
  /// Abramowitz and Stegun, "Handbook of mathematical functions", 4.4.46: the error is below 2e-8.
  @_noLocks
  public static func arcCosine(_ value: Float) -> Float {
    let x = value.magnitude < 1 ? value.magnitude : 1
    var p: Float = -0.001_262_491_1
    p = p * x + 0.006_670_090_1
    p = p * x - 0.017_088_125_6
    p = p * x + 0.030_891_881_0
    p = p * x - 0.050_174_304_6
    p = p * x + 0.088_978_987_4
    p = p * x - 0.214_598_801_6
    p = p * x + 1.570_796_305_0
    let angle = Math.squareRoot(1 - x) * p
    return value < 0 ? 3.1415927 - angle : angle
  }
}
