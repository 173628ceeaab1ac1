// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Keeps every sample within full scale, by attenuating the sound before a peak arrives.
///
/// `LookAheadLimiter` describes the method. The latency is the attack time that the unit is
/// initialised with. A longer attack time takes effect at the next initialisation, a shorter one
/// immediately. The true-peak option also keeps the signal between samples within full scale, which
/// adds 229 frames of latency.
struct PeakLimiter: EffectKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_PeakLimiter, "AUPeakLimiter")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case attackTime = 0
    case decayTime = 1
    case preGain = 2
    case truePeak = 0x7472_706b  // 'trpk'

    var spec: ParameterSpec {
      switch self {
      case .attackTime: .init("attack time", .seconds, 0.001...0.03, default: 0.012)
      case .decayTime: .init("decay time", .seconds, 0.001...0.06, default: 0.024)
      case .preGain: .init("pre-gain", .decibels, -40...40, default: 0)
      case .truePeak: .init("true peak", .boolean, 0...1, default: 0)
      }
    }
  }

  private var limiter: LookAheadLimiter

  /// The memory for the lookahead of every channel, and for the filters that find true peaks.
  static func memory(_ setup: KernelSetup) -> Int {
    let ahead = Int(setup.format.sampleRate * Double(setup.value(Parameter.attackTime)))
    let filters = setup.value(Parameter.truePeak) >= 0.5 ? 36 * setup.maximumFrames + 1_024 : 0
    return 4 * setup.format.channelCount * (ahead + filters)
  }

  init(_ setup: KernelSetup) {
    limiter = LookAheadLimiter(
      sampleRate: setup.format.sampleRate, channelCount: setup.format.channelCount,
      maximumFrames: setup.maximumFrames, lookAhead: Double(setup.value(Parameter.attackTime)),
      limitsTruePeaks: setup.value(Parameter.truePeak) >= 0.5)
  }

  deinit { limiter.deallocate() }

  var latencyFrames: Int { limiter.latencyFrames }
  // The sound is only delayed, and has no tail.
  var tailTime: Double? { 0 }

  // For the longest decay time: until the attenuation is smaller than a sample's resolution.
  var settlingTime: Double? { 0.06 * 25 }

  mutating func reset() { limiter.reset() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    limiter.set(
      attackTime: values[.attackTime], decayTime: values[.decayTime],
      gain: values[.preGain])
    limiter.begin(slice.frameCount)
    for channel in 0..<slice.channelCount { limiter.measure(slice[channel], channel: channel) }
    limiter.computeGains()
    for channel in 0..<slice.channelCount { limiter.applyGains(slice[channel], channel: channel) }
  }
}
