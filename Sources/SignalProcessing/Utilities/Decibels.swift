// SPDX-License-Identifier: Apache-2.0

/// Conversions between linear gain and decibels.
public enum Decibels {
  /// Gain for a level in decibels; minus infinity is silence. [any thread]
  @_noLocks
  public static func gain(_ decibels: Double) -> Double { Math.power(10, decibels / 20) }

  /// Level in decibels of a gain, whose sign is ignored; minus infinity for silence. [any thread]
  @_noLocks
  public static func level(_ gain: Double) -> Double { 20 * Math.decimalLogarithm(gain.magnitude) }

  /// Level in decibels of a power (the square of a gain), to 5e-5 dB; -400 for zero or less.
  /// Without libm, so that it is the same everywhere. [any thread]
  @_noLocks
  public static func level(ofPower power: Float) -> Float {
    power > 1.2e-38 ? 3.0103 * Elementary.log2(power) : -400
  }

  /// Gain for a level in decibels, with a relative error of 1e-6; zero for -750 and less. Without
  /// libm. [any thread]
  @_noLocks
  public static func gain(ofLevel level: Float) -> Float {
    level > -750 ? Elementary.exp2(level * 0.16609640) : 0
  }
}
