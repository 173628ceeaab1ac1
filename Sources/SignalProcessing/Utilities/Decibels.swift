// SPDX-License-Identifier: Apache-2.0

/// Conversions between linear gain and decibels.
public enum Decibels {
  /// Gain of a level in decibels; minus infinity is silence. [any thread]
  @_noLocks
  public static func gain(_ decibels: Double) -> Double { Math.power(10, decibels / 20) }

  /// Level in decibels of a gain; of silence it is minus infinity, and a sign is ignored.
  /// [any thread]
  @_noLocks
  public static func level(_ gain: Double) -> Double { 20 * Math.decimalLogarithm(gain.magnitude) }

  /// Level in decibels of a power (the square of a gain), to 5e-5 dB; of zero or less it is -400.
  /// [any thread]
  ///
  /// Without libm, so that a meter on a render thread shows the same everywhere: the exponent's bits,
  /// and for the mantissa m the series of artanh((m - 1) / (m + 1)).
  @_noLocks
  public static func level(ofPower power: Float) -> Float {
    guard power > 1e-38 else { return -400 }
    let bits = power.bitPattern
    var exponent = Int32(bits >> 23) - 127
    var mantissa = Float(bitPattern: bits & 0x007f_ffff | 0x3f80_0000)
    if mantissa > 1.4142135 {
      mantissa *= 0.5
      exponent += 1
    }
    let s = (mantissa - 1) / (mantissa + 1)
    let z = s * s
    let logarithm = 2 * s * (1 + z * (1.0 / 3 + z * (0.2 + z * (1.0 / 7 + z * (1.0 / 9)))))
    return 4.3429448 * (logarithm + 0.6931472 * Float(exponent))
  }
}
