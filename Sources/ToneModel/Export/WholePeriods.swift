// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A length after which tones begin anew, so that a file of them can be looped.
public struct WholePeriods: Equatable, Sendable {
  /// How many frames that is.
  public let frameCount: Int
  /// By how much of a period the worst of the tones misses its beginning, 0 to 0.5.
  public let error: Double

  /// The length nearest to `frames` that holds whole periods of each frequency.
  ///
  /// Frequencies and rates with few decimals have one within a second. Where there is none as near
  /// as that, it is the length with the smallest error.
  public init(of frequencies: [Double], sampleRate: Double, near frames: Int) {
    let reach = min(frames - 1, Int(2 * sampleRate))
    // A rounding error is no error: 1e-9 of a period is less than a float can hold.
    let exact = 1e-9
    var best = (frameCount: max(frames, 1), error: Double.infinity)
    for distance in 0...max(reach, 0) {
      for candidate in distance == 0 ? [frames] : [frames - distance, frames + distance] {
        let error = frequencies.reduce(0.0) { worst, frequency in
          let periods = frequency * Double(candidate) / sampleRate
          return max(worst, abs(periods - periods.rounded()))
        }
        if error < best.error - exact { best = (candidate, error) }
        if error < exact { break }
      }
      if best.error < exact { break }
    }
    frameCount = best.frameCount
    error = frequencies.isEmpty ? 0 : best.error
  }
}
