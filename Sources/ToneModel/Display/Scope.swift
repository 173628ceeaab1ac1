// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The trace of an oscilloscope: a piece of it that stands still.
public struct Scope {
  /// Seconds that are shown at most.
  private static let longest = 0.05

  /// Frames from one side of the picture to the other: some periods of a tone.
  public static func span(of frequency: Double, sampleRate: Double) -> Int {
    let periods = 3 / max(frequency, 1)
    // Enough frames for a curve, also of the highest tones.
    return Int(min(max(periods, 24 / sampleRate), longest) * sampleRate)
  }

  /// Where to begin: at the last place from which `span` frames are there, the signal rises through
  /// zero, and a curve has the samples around it; between two samples, in frames. Where it does not
  /// rise, it is the last place.
  public static func start(_ samples: [Float], span: Int) -> Double {
    let last = samples.count - span - reach - 1
    guard last > reach else { return 0 }
    for index in stride(from: last, to: reach, by: -1) {
      let (before, after) = (samples[index - 1], samples[index])
      if before < 0, after >= 0 {
        return Double(index) - Double(after / (after - before))
      }
    }
    return Double(last)
  }

  /// Frames on either side that have a share in a point between two.
  private static let reach = 8

  /// Equally spaced points of the curve through samples, from frame `start` on for `span` frames.
  ///
  /// Between samples runs what a converter would make of them (a sinc, windowed), so that a tone near
  /// half the sample rate is a wave and no zigzag.
  public static func curve(
    _ samples: [Float], from start: Double, span: Double, points: Int
  ) -> [Float] {
    (0..<points).map { point in
      let place = start + span * Double(point) / Double(max(points - 1, 1))
      let whole = Int(place.rounded(.down))
      let part = place - Double(whole)
      if part < 1e-6 { return samples.indices.contains(whole) ? samples[whole] : 0 }
      let sine = sin(.pi * part) / .pi
      var sum = 0.0
      for tap in (1 - reach)...reach {
        guard samples.indices.contains(whole + tap) else { continue }
        let distance = part - Double(tap)
        let inside = 1 - distance * distance / Double(reach * reach)
        let sign: Double = tap & 1 == 0 ? 1 : -1
        sum += Double(samples[whole + tap]) * sign * sine / distance * inside * inside
      }
      return Float(sum)
    }
  }
}
