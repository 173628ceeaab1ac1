// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import ToneModel

/// A WAV file of a tone, rendered without a device.
struct ToneFile {
  let path: String
  let sampleRate: Int
  let channelCount: Int

  /// Writes exactly `seconds` of a tone, as fast as it can.
  func write(_ tone: Tone, seconds: Double, fade: Double, effects wanted: [UnitSpec]) throws
    -> ToneStatistics
  {
    let start = ContinuousClock.now
    let source = try ToneSource(
      tone, sampleRate: Double(sampleRate), channelCount: channelCount, fade: fade)
    let frameCount = Int((seconds * Double(sampleRate)).rounded())
    source.end(atFrame: frameCount)
    let effects =
      wanted.isEmpty
      ? nil
      : try ToneEffects(
        wanted, after: .unit(source.unit), sampleRate: Double(sampleRate),
        channelCount: channelCount)
    try Recording(path: path, sampleRate: sampleRate, channelCount: channelCount)
      .write(effects?.last ?? source.unit, frameCount: frameCount)
    let elapsed = ContinuousClock.now - start
    let peak = effects?.takePeak() ?? source.takePeak()
    return ToneStatistics(
      destination: path, sampleRate: Double(sampleRate), channelCount: channelCount,
      frameCount: frameCount, peak: peak, peakLevel: Decibels.level(peak),
      duration: elapsed / .seconds(1))
  }
}
