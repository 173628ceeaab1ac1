// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A length that contains whole periods of all tones, so that a file of them can be looped.
public struct WholePeriods: Equatable, Sendable {
  /// The length in frames.
  public let frameCount: Int
  /// The largest mismatch of a tone at the loop point, in periods, 0 to 0.5.
  public let error: Double

  /// The length nearest to `frames` that contains whole periods of each frequency.
  ///
  /// For frequencies and rates with few decimals there is one within a second. If there is none
  /// within two seconds, the length with the smallest error is used.
  public init(of frequencies: [Double], sampleRate: Double, near frames: Int) {
    let reach = min(frames - 1, Int(2 * sampleRate))
    // Rounding errors do not count: 1e-9 of a period is less than a float can represent.
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
