// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

/// Everything that needs a sound server: one after the other, as there is one of each kind per
/// process. The suites of the servers are extensions of it.
@Suite("Servers", .serialized)
enum Servers {
  /// Finds the tone of a playing unit in a recording: in tune to a hundredth of a hertz, at its level,
  /// without a discontinuity.
  static func expectTone(
    _ signal: Signal, amplitude: Double = 0.25, distortion: Double = 0,
    _ place: SourceLocation = #_sourceLocation
  ) {
    guard signal.count > 24_000 else {
      Issue.record("only \(signal.count) frames were recorded", sourceLocation: place)
      return
    }
    let tone = signal.tone(near: 440)
    #expect(abs(tone.frequency - 440) < 0.01, "\(tone)", sourceLocation: place)
    #expect(abs(tone.amplitude - amplitude) < 0.001, "\(tone)", sourceLocation: place)
    let bend = signal.largestBend(frequency: 440, amplitude: amplitude)
    #expect(bend < 1.05, "a discontinuity", sourceLocation: place)
    #expect(tone.distortionAndNoise < distortion, "\(tone)", sourceLocation: place)
  }

  /// Whether a recording is what `expectTone` expects.
  private static func isTone(_ signal: Signal, _ amplitude: Double, _ distortion: Double) -> Bool {
    guard signal.count > 24_000 else { return false }
    let tone = signal.tone(near: 440)
    return abs(tone.frequency - 440) < 0.01 && abs(tone.amplitude - amplitude) < 0.001
      && signal.largestBend(frequency: 440, amplitude: amplitude) < 1.05
      && tone.distortionAndNoise < distortion
  }

  /// Listens to a tone, a second or two at a time: on a machine that is busy a recorder misses some
  /// cycles, which is not the player's doing, so that of five recordings one has to be whole.
  static func expectToneInOne(
    amplitude: Double = 0.25, distortion: Double = 0, _ place: SourceLocation = #_sourceLocation,
    record: () throws -> [Signal]
  ) rethrows {
    for _ in 0..<4 {
      let channels = try record().map { lastSecond($0) }
      if !channels.isEmpty, channels.allSatisfy({ isTone($0, amplitude, distortion) }) { return }
    }
    let channels = try record()
    #expect(!channels.isEmpty, "nothing was recorded", sourceLocation: place)
    for signal in channels {
      expectTone(lastSecond(signal), amplitude: amplitude, distortion: distortion, place)
    }
  }

  /// The last second of a recording.
  static func lastSecond(_ signal: Signal) -> Signal {
    let trimmed = signal.trimmed
    // What the recorder had not written yet when it was ended may be cut off in mid-cycle.
    return trimmed[max(0, trimmed.count - 50_000)..<max(0, trimmed.count - 2_000)]
  }
}
