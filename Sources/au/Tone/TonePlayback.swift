// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import ToneModel

/// A tone played to a device.
enum TonePlayback {
  /// Plays `seconds` of tones and returns when it is over. `check` may refuse the device's rate;
  /// `showsFigures` keeps a line on the terminal that says how the device fares.
  static func play(
    _ tones: [Tone], seconds: Double, fade: Double, effects: [UnitSpec],
    showsFigures: Bool = false,
    check: (Double) throws -> Void
  ) throws -> ToneStatistics {
    let output = try ToneOutput(tones, fade: fade, effects: effects)
    try check(output.sampleRate)
    let frameCount = Int((seconds * output.sampleRate).rounded())
    try output.end(atFrame: frameCount)
    let signals = Signals(Signals.ending)
    let start = ContinuousClock.now
    try output.start()
    let device = output.deviceName
    var signal: Int32?
    var live = LiveLine(isShown: showsFigures)
    var silence = SilenceReport()
    output.mix.waitUntilOver(patience: 4, isWaiting: { output.interruption != nil }) {
      signal = signals.next()
      live.show { output.figures?.line(output.sampleRate) }
      if !live.isShown { silence.report { output.interruption } }
      return signal != nil || output.isOver
    }
    live.clear()
    let figures = output.figures
    if let signal {
      // Whoever ends it early hears no click.
      output.stop()
      Signals.die(of: signal)
    }
    guard output.isOver else {
      throw Failure("\(device) stopped asking for samples after \(output.mix.frameCount) frames")
    }
    let elapsed = ContinuousClock.now - start
    output.stop()
    let peak = output.effects?.takePeak() ?? output.mix.takePeak()
    return ToneStatistics(
      destination: device, sampleRate: output.sampleRate, channelCount: output.channelCount,
      frameCount: frameCount, peak: peak, peakLevel: Decibels.level(peak),
      duration: elapsed / .seconds(1), figures: figures)
  }
}

/// Reports on standard error when a tone falls silent and why, and when it is heard again.
private struct SilenceReport {
  private var next = ContinuousClock.now
  private var last: String?

  /// Looks four times a second however often this is called.
  mutating func report(_ interruption: () -> String?) {
    guard ContinuousClock.now >= next else { return }
    next = .now + .milliseconds(250)
    let reason = interruption()
    guard reason != last else { return }
    last = reason
    Console.error(reason.map { "silent: \($0)" } ?? "plays again")
  }
}
