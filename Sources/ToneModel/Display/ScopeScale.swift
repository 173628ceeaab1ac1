// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The vertical scale of an oscilloscope: the largest sample shown, where 1 is full scale.
public struct ScopeScale: Equatable, Sendable {
  /// The scales to choose from, beginning with full scale.
  public static let fixed = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]

  /// The chosen scale; nil: automatic.
  public var choice: Double?
  /// The latest automatic scale.
  private var fitting = 1.0

  /// An automatic scale, until one is chosen.
  public init() {}

  /// The scale for a signal with this peak.
  ///
  /// An automatic scale stays until the peak exceeds it or falls below 30% of it, so that the
  /// display of a steady signal does not jump.
  public mutating func next(peak: Double) -> Double {
    if let choice { return choice }
    let fits = peak <= fitting && peak > 0.3 * fitting
    if !fits { fitting = Self.scale(above: peak) }
    return fitting
  }

  /// The smallest of 1, 2 and 5 times a power of ten that contains a peak; 1 in silence.
  private static func scale(above peak: Double) -> Double {
    guard peak > 1e-6, peak.isFinite else { return 1 }
    let power = pow(10, log10(peak).rounded(.down))
    // A peak at a round number fills its scale despite rounding errors.
    let scale = [1.0, 2, 5, 10].first { $0 * power >= peak * 0.999_999 } ?? 10
    return scale * power
  }
}
