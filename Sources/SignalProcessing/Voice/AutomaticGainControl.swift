// SPDX-License-Identifier: Apache-2.0

/// Automatic gain control: brings a talker to the level of telephone speech. The gain follows the
/// talker slowly, stays constant during pauses, and feeds a limiter.
///
/// The owner frees the memory with `deallocate`.
struct AutomaticGainControl: BitwiseCopyable, @unchecked Sendable {
  /// Target level of speech in dBFS (RMS while someone speaks), and the range of the gain.
  private static var target: Float { @_noLocks get { -20 } }
  private static var maximumGain: Float { @_noLocks get { 24 } }
  private static var minimumGain: Float { @_noLocks get { -12 } }
  /// Maximum change of the gain in decibels per second, up and down.
  private static var rise: Float { 4 }
  private static var fall: Float { 12 }

  private var limiter: LookAheadLimiter
  private let stepSeconds: Float
  private let smoothing: Float
  /// Mean square of the talker while speaking; zero before anybody has spoken.
  private var power: Float = 0
  /// The gain in decibels.
  private(set) var gain: Float = 0
  /// Latency in frames.
  var latencyFrames: Int { limiter.latencyFrames }

  /// [control thread] Makes a gain control for steps of `stepFrames` frames.
  init(sampleRate: Double, stepFrames: Int) {
    limiter = LookAheadLimiter(
      sampleRate: sampleRate, channelCount: 1, maximumFrames: stepFrames, lookAhead: 0.002)
    stepSeconds = Float(Double(stepFrames) / sampleRate)
    smoothing = Float(Math.exponential(-Double(stepFrames) / sampleRate / 0.5))
  }

  /// [control thread] Frees the memory.
  func deallocate() { limiter.deallocate() }

  /// [render thread] Clears the signal history and the talker's level.
  @_noLocks
  mutating func reset() {
    limiter.reset()
    (power, gain) = (0, 0)
  }

  /// [render thread] Scales one step in place. `activity` is the likelihood of speech, 0 to 1;
  /// without `follows` the gain returns to one.
  @_noLocks
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, activity: Float, follows: Bool
  ) {
    if activity > 0.8 {
      let now = Samples.energyAndPeak(samples, count: frames).energy / Float(frames)
      power = power == 0 ? now : smoothing * power + (1 - smoothing) * now
    }
    var targetGain: Float = 0
    if follows {
      targetGain =
        power > 0
        ? min(max(Self.target - Decibels.level(ofPower: power), Self.minimumGain), Self.maximumGain)
        : gain
      if activity <= 0.8 { targetGain = gain }
    }
    gain += min(max(targetGain - gain, -Self.fall * stepSeconds), Self.rise * stepSeconds)
    limiter.set(attackTime: 0.002, decayTime: 0.1, gain: gain)
    limiter.begin(frames)
    limiter.measure(samples, channel: 0)
    limiter.computeGains()
    limiter.applyGains(samples, channel: 0)
  }
}
