// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Converts between levels in decibels and linear amplitudes.
public enum Decibels {
  /// The amplitude ratio of a level in decibels.
  public static func ratio(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// The level in decibels of an amplitude ratio; minus infinity for zero.
  public static func level(_ ratio: Double) -> Double { 20 * log10(abs(ratio)) }
}
