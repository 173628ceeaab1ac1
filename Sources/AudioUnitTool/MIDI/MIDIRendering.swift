// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// The rendering of a MIDI file into a sound file.
struct MIDIRendering {
  /// The seconds of the default tail, for the release and the reverberation of the last notes.
  static let defaultTail = 3.0
  static let sampleRate = 48_000
  /// The seconds of the longest file that is rendered.
  static let longest = 86_400.0

  let input: String
  let bank: String?
  let tail: Double?
  /// The file with two channels at that rate.
  let recording: Recording

  /// Renders as fast as possible; returns a summary of the output.
  func run() throws -> String {
    let score = try MIDIScore(input)
    // A few bytes can claim a length of years.
    guard score.seconds <= Self.longest else {
      throw Failure(
        "\(input): \(Numbers.rounded(score.seconds / 3_600, digits: 1)) hours long; "
          + "at most \(Int(saturating: Self.longest / 3_600)) are rendered")
    }
    let unit = try score.makeGraph(.init(bank: bank, sampleRate: Double(Self.sampleRate)))
    try score.start()
    let seconds = score.seconds + (tail ?? Self.defaultTail)
    let frameCount = Int(saturating: (seconds * Double(Self.sampleRate)).rounded())
    let repairs = try recording.write(unit, frameCount: frameCount)
    Failure.warn(of: repairs, in: input)
    return "\(recording.path): \(Numbers.count(frameCount, "frame")), "
      + "\(Numbers.rounded(seconds, digits: 3)) s"
  }
}
