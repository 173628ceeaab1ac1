// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import ToneModel

/// A tone played to a device.
enum TonePlayback {
  /// Plays `seconds` of a tone and returns when it is over. `check` may refuse the device's rate.
  static func play(
    _ tone: Tone, seconds: Double, fade: Double, check: (Double) throws -> Void
  ) throws -> ToneStatistics {
    let output = try ToneOutput(tone, fade: fade)
    try check(output.sampleRate)
    let frameCount = Int((seconds * output.sampleRate).rounded())
    output.source.end(atFrame: frameCount)
    let start = ContinuousClock.now
    try output.start()
    let device = output.deviceName
    guard output.source.waitUntilOver(patience: 2) else {
      throw Failure("\(device) stopped asking for samples after \(output.source.frameCount) frames")
    }
    let elapsed = ContinuousClock.now - start
    output.stop()
    let peak = output.source.takePeak()
    return ToneStatistics(
      destination: device, sampleRate: output.sampleRate, channelCount: output.channelCount,
      frameCount: frameCount, peak: peak, peakLevel: Decibels.level(peak),
      duration: elapsed / .seconds(1))
  }
}
