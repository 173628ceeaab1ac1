// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import CommandSupport
import ToneModel

/// A file that is sent through units, one after another, into another file.
struct FileRendering {
  /// Seconds that a tail lasts at most where nobody says how long.
  static let longestTail = 60.0

  let units: [UnitSpec]
  let input: String
  let output: String
  /// Seconds that are rendered after the end of the file; nil: as long as the units sound.
  let tail: Double?
  /// What the samples of the output are.
  var samples = SoundFileSamples.native

  /// Renders as fast as it can. The output begins with the first frame of the input: what the units
  /// take to answer is left out.
  ///
  /// - Returns: What was written, in words.
  func run() throws -> String {
    try ToneEffects.check(units)
    let source = try FileSource(input)
    let rate = Double(source.sampleRate)
    let effects = try ToneEffects(
      units, after: .callback(source.renderCallback), sampleRate: rate,
      channelCount: source.channelCount)
    guard let last = effects.last else { throw Failure("nothing to render with") }
    let latency = Int((effects.latency * rate).rounded())
    let seconds = tail ?? min(effects.tail, Self.longestTail)
    let frameCount = source.frameCount + Int((seconds * rate).rounded())
    try withExtendedLifetime(source) {
      try Recording(
        path: output, sampleRate: source.sampleRate, channelCount: source.channelCount,
        samples: samples
      ).write(last, frameCount: frameCount, skipping: latency)
    }
    if let failure = source.failure { throw Failure(failure) }
    return "\(output): \(Numbers.count(frameCount, "frame")), "
      + "\(Numbers.plain((Double(frameCount) / rate * 1_000).rounded() / 1_000)) s, peak "
      + "\(Numbers.rounded(Decibels.level(effects.takePeak()), digits: 2)) dBFS"
  }
}
