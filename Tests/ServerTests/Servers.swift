// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

/// All tests that need a sound server, one after the other, because a process can use only one of
/// each kind. The suites of the servers are extensions of this one.
@Suite("Servers", .serialized)
enum Servers {
  /// Expects the tone of a playing unit in a recording: in tune to a hundredth of a hertz, at its
  /// level, without a discontinuity.
  static func expectTone(
    _ signal: Signal, frequency: Double = 440, amplitude: Double = 0.25, distortion: Double = 0,
    _ place: SourceLocation = #_sourceLocation
  ) {
    guard signal.count > 24_000 else {
      Issue.record("only \(signal.count) frames were recorded", sourceLocation: place)
      return
    }
    let tone = signal.tone(near: frequency)
    #expect(abs(tone.frequency - frequency) < 0.01, "\(tone)", sourceLocation: place)
    #expect(abs(tone.amplitude - amplitude) < 0.001, "\(tone)", sourceLocation: place)
    let bend = signal.largestBend(frequency: frequency, amplitude: amplitude)
    #expect(bend < 1.05, "a discontinuity", sourceLocation: place)
    #expect(tone.distortionAndNoise < distortion, "\(tone)", sourceLocation: place)
  }

  /// Whether a recording meets the expectations of `expectTone`.
  private static func isTone(
    _ signal: Signal, _ frequency: Double, _ amplitude: Double, _ distortion: Double
  ) -> Bool {
    guard signal.count > 24_000 else { return false }
    let tone = signal.tone(near: frequency)
    return abs(tone.frequency - frequency) < 0.01 && abs(tone.amplitude - amplitude) < 0.001
      && signal.largestBend(frequency: frequency, amplitude: amplitude) < 1.05
      && tone.distortionAndNoise < distortion
  }

  /// Records a tone until a recording is free of gaps for `seconds`. Each disturbed recording must
  /// have a reason: a late or skipped cycle that the recorder or `late` has counted. A busy machine
  /// causes those, and they are audible. A gap that nobody has counted is a defect.
  static func expectTone(
    frequency: Double = 440, amplitude: Double = 0.25, distortion: Double = 0,
    seconds: Double = 1, _ place: SourceLocation = #_sourceLocation, late: () throws -> Int,
    record: () throws -> Recording
  ) rethrows {
    for attempt in 1...attempts {
      let before = try late()
      let recording = try record()
      let channels = recording.channels.map { end(of: $0, seconds: seconds) }
      if !channels.isEmpty, channels.allSatisfy({ isTone($0, frequency, amplitude, distortion) }) {
        return
      }
      // Servers report their counts after a second or two.
      if try wait(seconds: 10, until: { try late() > before || recording.lost() > 0 }) {
        print("recording \(attempt) is disturbed: a cycle came too late")
        continue
      }
      #expect(!channels.isEmpty, "nothing was recorded", sourceLocation: place)
      for signal in channels {
        expectTone(
          signal, frequency: frequency, amplitude: amplitude, distortion: distortion, place)
      }
      return
    }
    Issue.record(
      "of \(attempts) recordings, each had a cycle that came too late", sourceLocation: place)
  }

  private static let attempts = 20

  /// The recorded channels, and the number of cycles that the recorder knows to be missing or
  /// disturbed.
  struct Recording {
    var channels: [Signal]
    var lost: () -> Int = { 0 }
  }

  /// Expects that a recording has every sample of a source that counts, whose sample n is n times 2
  /// to the -20. It is repeated while `late` counts late or skipped cycles of a busy machine.
  static func expectEverySample(
    _ place: SourceLocation = #_sourceLocation, late: () -> Int, record: () -> ArraySlice<Float>
  ) {
    for _ in 1...attempts {
      let before = late()
      let samples = record().map { Int(($0 * 1_048_576).rounded()) }
      if samples.count > 1, zip(samples, samples.dropFirst()).allSatisfy({ $1 == $0 + 1 }) {
        return
      }
      guard wait(seconds: 10, until: { late() > before }) else {
        Issue.record("samples are missing, and no cycle was late", sourceLocation: place)
        return
      }
    }
    Issue.record(
      "of \(attempts) recordings, each had a cycle that came too late", sourceLocation: place)
  }

  /// Expects a tone in the recording of another program. On a busy machine that recorder misses
  /// cycles without reporting them, so only a tenth of a second somewhere has to be free of gaps.
  static func expectToneElsewhere(
    amplitude: Double = 0.25, _ place: SourceLocation = #_sourceLocation,
    record: () throws -> [Signal]
  ) rethrows {
    let length = 4_800
    for _ in 0..<5 {
      let channels = try record().map(\.trimmed)
      let areWhole = channels.map { signal in
        stride(from: 0, to: signal.count - length, by: 512).contains { start in
          let part = signal[start..<start + length]
          return part.largestBend(frequency: 440, amplitude: amplitude) < 1.05
            && abs(part.tone(at: 440).amplitude - amplitude) < 0.001
        }
      }
      if !areWhole.isEmpty, areWhole.allSatisfy({ $0 }) { return }
    }
    Issue.record("of five recordings none had a whole tenth of a second", sourceLocation: place)
  }

  /// The last seconds of a recording, or all of it if it is shorter.
  private static func end(of signal: Signal, seconds: Double) -> Signal {
    let trimmed = signal.trimmed
    // The last cycle may be incomplete if the recorder was ended while writing.
    let end = max(0, trimmed.count - 2_000)
    return trimmed[max(0, end - Int(seconds * 48_000))..<end]
  }
}
