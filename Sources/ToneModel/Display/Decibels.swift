// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Levels as people say them, and as samples have them.
public enum Decibels {
  /// The ratio of amplitudes of a level in decibels.
  public static func ratio(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// The level in decibels of a ratio of amplitudes; of none, minus infinity.
  public static func level(_ ratio: Double) -> Double { 20 * log10(abs(ratio)) }
}
