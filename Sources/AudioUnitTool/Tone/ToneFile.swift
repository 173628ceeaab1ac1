// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// A file of one or more tones, rendered without a device.
struct ToneFile {
  let path: String
  let sampleRate: Int
  let channelCount: Int
  let samples: SoundFileSamples

  /// Writes exactly `seconds` of tones, as fast as possible.
  func write(_ tones: [Tone], seconds: Double, fade: Double, effects: [UnitSpec]) throws
    -> ToneStatistics
  {
    guard tones.count > 1 || !tones[0].channels.isEmpty else {
      return try write(tones[0], seconds: seconds, fade: fade, effects: effects)
    }
    let start = ContinuousClock.now
    let mix = try ToneMix(
      tones, sampleRate: Double(sampleRate), channelCount: channelCount, fade: fade)
    let frameCount = Int(saturating: (seconds * Double(sampleRate)).rounded())
    mix.end(atFrame: frameCount)
    let recording = Recording(
      path: path, sampleRate: sampleRate, channelCount: channelCount, samples: samples)
    var peak: Double?
    if effects.isEmpty {
      try recording.write(frameCount: frameCount) { channels, _, count in
        mix.render(count, channels)
      }
    } else {
      let effects = try ToneEffects(
        effects, after: .callback(mix.renderCallback), sampleRate: Double(sampleRate),
        channelCount: channelCount, isOffline: true)
      if let last = effects.last { try recording.write(last, frameCount: frameCount) }
      peak = effects.readAndResetPeak()
    }
    return statistics(frameCount, peak ?? mix.readAndResetPeak(), start)
  }

  private func write(_ tone: Tone, seconds: Double, fade: Double, effects specs: [UnitSpec]) throws
    -> ToneStatistics
  {
    let start = ContinuousClock.now
    let source = try ToneSource(
      tone, sampleRate: Double(sampleRate), channelCount: channelCount, fade: fade)
    let frameCount = Int(saturating: (seconds * Double(sampleRate)).rounded())
    source.end(atFrame: frameCount)
    let effects =
      specs.isEmpty
      ? nil
      : try ToneEffects(
        specs, after: .unit(source.unit), sampleRate: Double(sampleRate),
        channelCount: channelCount, isOffline: true)
    try Recording(
      path: path, sampleRate: sampleRate, channelCount: channelCount, samples: samples
    ).write(effects?.last ?? source.unit, frameCount: frameCount)
    return statistics(frameCount, effects?.readAndResetPeak() ?? source.readAndResetPeak(), start)
  }

  private func statistics(
    _ frameCount: Int, _ peak: Double, _ start: ContinuousClock.Instant
  ) -> ToneStatistics {
    let elapsed = ContinuousClock.now - start
    return ToneStatistics(
      destination: path, sampleRate: Double(sampleRate), channelCount: channelCount,
      frameCount: frameCount, peak: peak, peakLevel: Decibels.level(peak),
      duration: elapsed / .seconds(1))
  }
}
