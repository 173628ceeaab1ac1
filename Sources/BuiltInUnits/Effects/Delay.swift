// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Echoes. Each follows the previous one after the delay time, attenuated by the feedback and by
/// the low-pass filter, which the first echo passes too.
struct Delay: EffectKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Effect, kAudioUnitSubType_Delay, "AUDelay")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case wetDryMix, delayTime, feedback, lowPassCutoff

    var spec: ParameterSpec {
      switch self {
      case .wetDryMix: .init("dry/wet mix", .equalPowerCrossfade, 0...100, default: 50)
      case .delayTime: .init("delay time", .seconds, 0...Delay.longestTime, default: 1)
      case .feedback: .init("feedback", .percent, -100...100, default: 50)
      case .lowPassCutoff:
        .init(
          "lowpass cutoff frequency", .hertz, 10...384_000, default: 15_000, limit: .halfSampleRate,
          display: .flag_DisplayLogarithmic)
      }
    }
  }

  /// The longest delay in seconds.
  static var longestTime: Float { @_noLocks get { 2 } }

  private var delay: FeedbackDelay
  private let sampleRate: Double

  static func memory(_ setup: KernelSetup) -> Int {
    4 * setup.format.channelCount * Int(Double(longestTime) * setup.format.sampleRate)
  }

  init(_ setup: KernelSetup) {
    sampleRate = setup.format.sampleRate
    delay = FeedbackDelay(
      channelCount: setup.format.channelCount,
      longestDelay: Double(Self.longestTime) * sampleRate, sampleRate: sampleRate,
      isOffline: setup.isOffline)
  }

  deinit { delay.deallocate() }

  /// The time until the echoes, including the filtered last one, are below -120 dB.
  func tailTime(_ values: Values) -> Double? {
    let settings = settings(values)
    let loss = -20 * Elementary.log2(max(Double(settings.feedback.magnitude), 1e-30)) * 0.30103
    let echoes = (120 / loss).rounded(.up)
    let darkening = settings.cutoff < 0.4999 ? 1 / (2 * .pi * settings.cutoff) : 0
    return (echoes * (max(settings.delay, 1) + darkening) + 14 * darkening) / sampleRate
  }

  mutating func reset() { delay.reset() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    delay.set(settings(values))
    slice.silenceInvalidSamples()
    delay.render(slice.channels, offset: slice.offset, count: slice.frameCount)
  }

  @_noLocks
  private func settings(_ values: Values) -> FeedbackDelay.Settings {
    let mix = EqualPowerMix(percent: values[.wetDryMix])
    // Below one: at exactly one the echoes would never decay, and would add up for ever.
    let feedback = min(max(values[.feedback] / 100, -0.999), 0.999)
    return .init(
      delay: Double(values[.delayTime]) * sampleRate, feedback: feedback, dry: mix.dry,
      wet: mix.wet, cutoff: Double(values[.lowPassCutoff]) / sampleRate)
  }
}
