// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import ToneModel

/// A tone played to a device.
enum TonePlayback {
  /// Plays `seconds` of a tone and returns when it is over. `check` may refuse the device's rate.
  static func play(
    _ tone: Tone, seconds: Double, fade: Double, effects: [ToneEffect],
    check: (Double) throws -> Void
  ) throws -> ToneStatistics {
    let output = try ToneOutput([tone], fade: fade, effects: effects)
    try check(output.sampleRate)
    let frameCount = Int((seconds * output.sampleRate).rounded())
    output.mix.end(atFrame: frameCount)
    let signals = Signals(Signals.ending)
    let start = ContinuousClock.now
    try output.start()
    let device = output.deviceName
    var signal: Int32?
    output.mix.waitUntilOver(patience: 2) {
      signal = signals.next()
      return signal != nil
    }
    if let signal {
      // Whoever ends it early hears no click.
      output.stop()
      Signals.die(of: signal)
    }
    guard output.mix.isOver else {
      throw Failure("\(device) stopped asking for samples after \(output.mix.frameCount) frames")
    }
    let elapsed = ContinuousClock.now - start
    output.stop()
    let peak = output.effects?.takePeak() ?? output.mix.takePeak()
    return ToneStatistics(
      destination: device, sampleRate: output.sampleRate, channelCount: output.channelCount,
      frameCount: frameCount, peak: peak, peakLevel: Decibels.level(peak),
      duration: elapsed / .seconds(1))
  }
}
