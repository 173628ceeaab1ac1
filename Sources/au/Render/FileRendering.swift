// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import CommandSupport
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// The rendering of a file through units, in series, into another file.
struct FileRendering {
  /// The longest default tail, in seconds.
  static let longestTail = 60.0

  let units: [UnitSpec]
  let input: String
  let output: String
  /// Seconds to render after the end of the file; nil: as long as the units sound.
  let tail: Double?
  /// The channels that the units get; nil: those of the file.
  var channelCount: Int?
  /// How much of the channel for low-frequency effects fewer channels get; linear.
  var lowFrequencyGain: Float = 0
  /// The sample format of the output.
  var samples = SoundFileSamples.native

  /// Renders as fast as possible. The output begins with the first frame of the input: the latency
  /// of the units is removed.
  ///
  /// - Returns: A summary of the output.
  func run() throws -> String {
    try ToneEffects.check(units)
    let source = try FileSource(
      input, channelCount: channelCount, lowFrequencyGain: lowFrequencyGain)
    let rate = Double(source.sampleRate)
    let effects = try ToneEffects(
      units, after: .callback(source.renderCallback), sampleRate: rate,
      channelCount: source.channelCount)
    guard let last = effects.last else { throw Failure("nothing to render with") }
    let latency = Int(saturating: (effects.latency * rate).rounded())
    let seconds = tail ?? min(effects.tail, Self.longestTail)
    let frameCount = source.frameCount + Int(saturating: (seconds * rate).rounded())
    let repairs = try withExtendedLifetime(source) {
      try Recording(
        path: output, sampleRate: source.sampleRate, channelCount: source.channelCount,
        samples: samples
      ).write(last, frameCount: frameCount, skipping: latency)
    }
    if let failure = source.failure { throw Failure(failure) }
    Failure.warn(of: source.condition, in: input)
    Failure.warn(of: repairs, source.repairs, in: input)
    return "\(output): \(Numbers.count(frameCount, "frame")), "
      + "\(Numbers.plain((Double(frameCount) / rate * 1_000).rounded() / 1_000)) s, peak "
      + "\(Numbers.rounded(Decibels.level(effects.readAndResetPeak()), digits: 2)) dBFS"
  }
}
