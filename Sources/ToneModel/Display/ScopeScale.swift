// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The largest sample that an oscilloscope shows, linear: 1 is full scale.
public struct ScopeScale: Equatable, Sendable {
  /// Those that can be chosen, from full scale down.
  public static let fixed = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]

  /// What somebody has chosen; nil: whatever fits the signal.
  public var choice: Double?
  /// The scale that fitted last.
  private var fitting = 1.0

  /// A scale that fits the signal, until somebody chooses another.
  public init() {}

  /// The scale for a signal of a peak.
  ///
  /// One that fits stays until the signal grows out of it or fills less than a third of it, so that the
  /// picture of a steady signal stands still.
  public mutating func next(peak: Double) -> Double {
    if let choice { return choice }
    let fits = peak <= fitting && peak > 0.3 * fitting
    if !fits { fitting = Self.scale(above: peak) }
    return fitting
  }

  /// The smallest of 1, 2 and 5 times a power of ten that holds a peak; full scale in silence.
  private static func scale(above peak: Double) -> Double {
    guard peak > 1e-6, peak.isFinite else { return 1 }
    let power = pow(10, log10(peak).rounded(.down))
    // A peak that is a round number fills its scale, whatever its last bit says.
    let scale = [1.0, 2, 5, 10].first { $0 * power >= peak * 0.999_999 } ?? 10
    return scale * power
  }
}
