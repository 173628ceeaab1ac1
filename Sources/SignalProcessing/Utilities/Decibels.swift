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
}
