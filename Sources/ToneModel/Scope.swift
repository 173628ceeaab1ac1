// SPDX-License-Identifier: Apache-2.0

/// What an oscilloscope shows of a signal: a piece of it that stands still.
public struct Scope {
  /// Seconds that are shown at most.
  private static let longest = 0.05

  /// Frames from one side of the picture to the other: some periods of a tone.
  public static func span(of frequency: Double, sampleRate: Double) -> Int {
    let periods = 3 / max(frequency, 1)
    // Enough frames for a curve, also of the highest tones.
    return Int(min(max(periods, 24 / sampleRate), longest) * sampleRate)
  }

  /// The piece of `span` frames that begins where the signal rises through zero, as late as
  /// possible; the end of the signal where it does not.
  ///
  /// The first frame lies `offset` frames after the crossing, 0 to below 1.
  public static func piece(_ samples: [Float], span: Int) -> (
    samples: ArraySlice<Float>, offset: Double
  ) {
    guard span > 1, samples.count > span else { return (samples[...], 0) }
    var start = samples.count - span - 1
    while start > 0 {
      let (before, after) = (samples[start - 1], samples[start])
      if before < 0, after >= 0 {
        return (samples[start..<start + span], Double(after / (after - before)))
      }
      start -= 1
    }
    return (samples.suffix(span), 0)
  }
}
