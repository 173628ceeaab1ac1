// SPDX-License-Identifier: Apache-2.0

/// Elementary functions without the C library, so that a render gives the same bits on every machine.
///
/// They are good to about 1e-7, as Float32 is.
public enum PortableMath {
  /// Logarithm to the base two of a positive number. [any thread]
  ///
  /// The exponent's bits, and for the mantissa m the series of artanh((m - 1) / (m + 1)).
  @_noLocks
  public static func logarithm2(_ value: Float) -> Float {
    let bits = value.bitPattern
    var exponent = Int32(bits >> 23) - 127
    var mantissa = Float(bitPattern: bits & 0x007f_ffff | 0x3f80_0000)
    if mantissa > 1.4142135 {
      mantissa *= 0.5
      exponent += 1
    }
    let s = (mantissa - 1) / (mantissa + 1)
    let z = s * s
    let series = s * (1 + z * (1.0 / 3 + z * (0.2 + z * (1.0 / 7 + z * (1.0 / 9)))))
    return Float(exponent) + 2.8853901 * series
  }

  /// Two to the power of a number; below -126 it is 0, above 127 the limit of what is finite.
  /// [any thread]
  ///
  /// The whole part is the exponent, for the rest a Taylor series around the nearest whole number.
  @_noLocks
  public static func power2(_ exponent: Float) -> Float {
    guard exponent > -126 else { return 0 }
    let limited = min(exponent, 127)
    let whole = Float(Int32(limited + (limited < 0 ? -0.5 : 0.5)))
    let y = (limited - whole) * 0.6931472
    let cubic = 1.0 / 6 + y * (1.0 / 24 + y * (1.0 / 120 + y * (1.0 / 720)))
    let part = 1 + y * (1 + y * (0.5 + y * cubic))
    return part * Float(bitPattern: UInt32(Int32(whole) + 127) << 23)
  }

  /// The next whole number below, of up to 1e15 in magnitude. [any thread]
  @_noLocks
  static func floor(_ value: Double) -> Double {
    let whole = Double(Int(min(max(value, -1e15), 1e15)))
    return whole > value ? whole - 1 : whole
  }

  /// Sine of an angle in degrees. [any thread]
  @_noLocks
  public static func sine(degrees: Float) -> Float {
    let turns = min(max(Double(degrees) / 360, -1e9), 1e9)
    return SineKernel.sine(ofPhase: UInt64((turns - floor(turns)) * 0x1p63) &<< 1)
  }

  /// Cosine of an angle in degrees. [any thread]
  @_noLocks
  public static func cosine(degrees: Float) -> Float { sine(degrees: 90 - degrees.magnitude) }

  /// Angle from 0 to pi whose cosine is `value`, which is limited to -1...1. [any thread]
  ///
  /// Abramowitz and Stegun, "Handbook of mathematical functions", 4.4.46: the error is below 2e-8.
  @_noLocks
  public static func arcCosine(_ value: Float) -> Float {
    let x = min(value.magnitude, 1)
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
