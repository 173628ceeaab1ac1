// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The trace of an oscilloscope, with a trigger that keeps it steady.
public struct Scope {
  /// The longest time shown, in seconds.
  private static let longest = 0.05

  /// The frames across the display: some periods of a tone.
  public static func span(of frequency: Double, sampleRate: Double) -> Int {
    let periods = 3 / max(frequency, 1)
    // At least as many frames as a curve needs, even for the highest tones.
    return Int(min(max(periods, 24 / sampleRate), longest) * sampleRate)
  }

  /// The trigger position: the last rising zero crossing with `span` frames after it and enough
  /// samples around it for interpolation, in fractional frames. If there is none, the last possible
  /// frame.
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

  /// Frames on either side that the interpolation uses.
  private static let reach = 8

  /// Equally spaced points of the waveform, for `span` frames from frame `start`.
  ///
  /// Points between samples are interpolated with a windowed sinc, as a converter would, so that a
  /// tone near half the sample rate looks like a wave and not like a zigzag.
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
