// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// Plays a tone to a device.
enum TonePlayback {
  /// Plays `seconds` of tones and returns at the end. `check` may refuse the device's rate and channels;
  /// `dither` is for devices with integers, nil for the usual one;
  /// `showsFigures` keeps a line with the state of the device on the terminal.
  static func play(
    _ tones: [Tone], seconds: Double, fade: Double, effects: [UnitSpec],
    dither: ToneDither? = nil, showsFigures: Bool = false,
    check: (_ sampleRate: Double, _ channelCount: Int) throws -> Void
  ) throws -> ToneStatistics {
    let output = try ToneOutput(tones, fade: fade, effects: effects, dither: dither)
    try check(output.sampleRate, output.channelCount)
    let frameCount = Int(saturating: (seconds * output.sampleRate).rounded())
    try output.end(atFrame: frameCount)
    let signals = Signals(Signals.ending)
    let start = ContinuousClock.now
    try output.start()
    let device = output.deviceName
    var signal: Int32?
    var live = LiveLine(isShown: showsFigures)
    var silence = SilenceReport()
    output.mix.waitUntilOver(timeout: 4, isWaiting: { output.interruption != nil }) {
      signal = signals.next()
      live.show { output.figures?.line(output.sampleRate) }
      if !live.isShown { silence.report { output.interruption } }
      return signal != nil || output.isOver
    }
    live.clear()
    let figures = output.figures
    if let signal {
      // The stop fades out, so an early end does not click.
      output.stop()
      Signals.endProcess(by: signal)
    }
    guard output.isOver else {
      throw Failure("\(device) stopped requesting samples after \(output.mix.frameCount) frames")
    }
    let elapsed = ContinuousClock.now - start
    output.stop()
    let peak = output.effects?.readAndResetPeak() ?? output.mix.readAndResetPeak()
    return ToneStatistics(
      destination: device, sampleRate: output.sampleRate, channelCount: output.channelCount,
      frameCount: frameCount, peak: peak, peakLevel: Decibels.level(peak),
      duration: elapsed / .seconds(1), figures: figures)
  }
}

/// Reports on standard error when and why a tone falls silent, and when it is audible again.
private struct SilenceReport {
  private var next = ContinuousClock.now
  private var last: String?

  /// Checks at most four times a second.
  mutating func report(_ interruption: () -> String?) {
    guard ContinuousClock.now >= next else { return }
    next = .now + .milliseconds(250)
    let reason = interruption()
    guard reason != last else { return }
    last = reason
    Console.error(reason.map { "silent: \($0)" } ?? "plays again")
  }
}
