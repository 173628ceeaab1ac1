// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Signal {
  /// Largest magnitude.
  public var peak: Double { samples.reduce(0) { max($0, $1.magnitude) } }

  /// Index of the largest magnitude.
  public var indexOfPeak: Int? { samples.indices.max { abs(samples[$0]) < abs(samples[$1]) } }

  /// Mean: the DC offset.
  public var mean: Double { samples.reduce(0, +) / Double(max(1, count)) }

  /// Root of the mean square.
  public var rms: Double {
    (samples.reduce(0) { $0 + $1 * $1 } / Double(max(1, count))).squareRoot()
  }

  /// Largest difference between two signals.
  public func largestDifference(from other: Signal) -> Double {
    zip(samples, other.samples).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }
}

/// Level in decibels of a ratio of amplitudes.
public func decibels(_ ratio: Double) -> Double { 20 * log10(max(abs(ratio), 1e-30)) }
