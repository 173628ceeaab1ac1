// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Keeps every sample within full scale, by turning the sound down before a peak comes.
///
/// `LookAheadLimiter` says how. The latency is the attack time that stands when the unit is initialised;
/// a longer one takes effect with the next initialisation, a shorter one at once.
struct PeakLimiter: EffectKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_PeakLimiter, "AUPeakLimiter")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case attackTime, decayTime, preGain

    var spec: ParameterSpec {
      switch self {
      case .attackTime: .init("attack time", .seconds, 0.001...0.03, default: 0.012)
      case .decayTime: .init("decay time", .seconds, 0.001...0.06, default: 0.024)
      case .preGain: .init("pre-gain", .decibels, -40...40, default: 0)
      }
    }
  }

  private var limiter: LookAheadLimiter

  /// What is ahead, of every channel.
  static func memory(_ setup: KernelSetup) -> Int {
    4 * setup.format.channelCount
      * Int(setup.format.sampleRate * Double(setup.value(Parameter.attackTime)))
  }

  init(_ setup: KernelSetup) {
    limiter = LookAheadLimiter(
      sampleRate: setup.format.sampleRate, channelCount: setup.format.channelCount,
      maximumFrames: setup.maximumFrames, lookAhead: Double(setup.value(Parameter.attackTime)))
  }

  deinit { limiter.deallocate() }

  var latencyFrames: Int { limiter.latencyFrames }

  // For the longest decay: until less is taken away than a sample can show.
  var settlingTime: Double? { 0.06 * 25 }

  mutating func reset() { limiter.reset() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    limiter.set(
      attackTime: values[.attackTime], decayTime: values[.decayTime],
      gain: values[.preGain])
    limiter.begin(slice.frameCount)
    for channel in 0..<slice.channelCount { limiter.hear(slice[channel], channel: channel) }
    limiter.decide()
    for channel in 0..<slice.channelCount { limiter.pass(slice[channel], channel: channel) }
  }
}
