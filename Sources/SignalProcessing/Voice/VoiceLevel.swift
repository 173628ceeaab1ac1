// SPDX-License-Identifier: Apache-2.0

/// Brings a talker to the level of speech on a line: a gain that follows the talker slowly and
/// stays where it is during pauses, before a limiter.
///
/// The memory is its owner's to free, by `deallocate`.
struct VoiceLevel: BitwiseCopyable, @unchecked Sendable {
  /// The level that speech is brought to, in dBFS (RMS while someone speaks), and the bounds of the gain.
  private static var target: Float { @_noLocks get { -20 } }
  private static var strongest: Float { @_noLocks get { 24 } }
  private static var weakest: Float { @_noLocks get { -12 } }
  /// Decibels a second, louder and softer.
  private static var rise: Float { 4 }
  private static var fall: Float { 12 }

  private var limiter: LookAheadLimiter
  private let stepSeconds: Float
  private let keeps: Float
  /// Mean square of the talker while speaking; zero before anybody spoke.
  private var power: Float = 0
  /// The gain in decibels.
  private(set) var gain: Float = 0
  /// Frames by which sound is late.
  var latencyFrames: Int { limiter.latencyFrames }

  /// [control thread] For steps of `stepFrames` frames.
  init(sampleRate: Double, stepFrames: Int) {
    limiter = LookAheadLimiter(
      sampleRate: sampleRate, channelCount: 1, maximumFrames: stepFrames, lookAhead: 0.002)
    stepSeconds = Float(Double(stepFrames) / sampleRate)
    keeps = Float(Math.exponential(-Double(stepFrames) / sampleRate / 0.5))
  }

  /// [control thread] Frees the memory.
  func deallocate() { limiter.deallocate() }

  /// [render thread] Forgets the talker.
  @_noLocks
  mutating func reset() {
    limiter.reset()
    (power, gain) = (0, 0)
  }

  /// [render thread] Scales one step in place. `activity` says whether someone speaks, 0 to 1; without
  /// `follows` the gain goes back to one.
  @_noLocks
  mutating func process(
    _ samples: UnsafeMutablePointer<Float>, frames: Int, activity: Float, follows: Bool
  ) {
    if activity > 0.8 {
      let now = Samples.energyAndPeak(samples, count: frames).energy / Float(frames)
      power = power == 0 ? now : keeps * power + (1 - keeps) * now
    }
    var wanted: Float = 0
    if follows {
      wanted =
        power > 0
        ? min(max(Self.target - Decibels.level(ofPower: power), Self.weakest), Self.strongest)
        : gain
      if activity <= 0.8 { wanted = gain }
    }
    gain += min(max(wanted - gain, -Self.fall * stepSeconds), Self.rise * stepSeconds)
    limiter.set(attackTime: 0.002, decayTime: 0.1, gain: gain)
    limiter.begin(frames)
    limiter.measure(samples, channel: 0)
    limiter.computeGains()
    limiter.applyGains(samples, channel: 0)
  }
}
