// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A room that a feedback delay network simulates. `LateReverberation` describes the method.
struct Reverb2: EffectKernel, ~Copyable {
  static let identity = Identity(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2, "AUReverb2")
  static let channels: [AUChannelInfo]? = [
    .init(inChannels: 1, outChannels: 1), .init(inChannels: 1, outChannels: 2),
    .init(inChannels: 2, outChannels: 2),
  ]

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case dryWetMix, gain, minDelayTime, maxDelayTime, decayTimeAt0Hz, decayTimeAtNyquist
    case randomizeReflections

    var spec: ParameterSpec {
      switch self {
      case .dryWetMix: .init("dry/wet mix", .equalPowerCrossfade, 0...100, default: 100)
      case .gain: .init("gain", .decibels, -20...20, default: 0)
      case .minDelayTime:
        .init(
          "min delay time", .seconds, 0.0001...1, default: 0.008,
          display: .flag_DisplayLogarithmic)
      case .maxDelayTime:
        .init(
          "max delay time", .seconds, 0.0001...1, default: 0.05, display: .flag_DisplayLogarithmic)
      case .decayTimeAt0Hz:
        .init(
          "decay time at 0 Hz", .seconds, 0.001...20, default: 1,
          display: .flag_DisplayLogarithmic)
      case .decayTimeAtNyquist:
        .init(
          "decay time at Nyquist", .seconds, 0.001...20, default: 0.5,
          display: .flag_DisplayLogarithmic)
      case .randomizeReflections:
        .init("randomize reflections", .generic, 1...1000, default: 1)
      }
    }
  }

  static let factoryPresets: [FactoryPreset] = RoomPreset.allCases.map { room in
    let values = room.reverb2
    return FactoryPreset(
      room.rawValue, room.name,
      [
        kReverb2Param_DryWetMix: values.mix,
        kReverb2Param_MinDelayTime: values.shortest,
        kReverb2Param_MaxDelayTime: values.longest,
        kReverb2Param_DecayTimeAt0Hz: values.lowDecay,
        kReverb2Param_DecayTimeAtNyquist: values.highDecay,
      ])
  }

  private var room: LateReverberation
  private var mixer: WetMixer

  init(_ setup: KernelSetup) {
    room = LateReverberation(
      longest: 1, sampleRate: setup.format.sampleRate, isOffline: setup.isOffline)
    mixer = WetMixer(sampleRate: setup.format.sampleRate)
  }

  deinit {
    room.deallocate()
    mixer.deallocate()
  }

  func tailTime(_ values: Values) -> Double? {
    let settings = settings(values)
    return LateReverberation.tailTime(settings)
  }

  mutating func reset() {
    room.reset()
    mixer.reset()
  }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    room.set(settings(values))
    let mix = EqualPowerMix(percent: values[.dryWetMix])
    let gain = Float(Elementary.gain(decibels: Double(values[.gain])))
    mixer.set(dry: mix.dry, wet: mix.wet * gain)
    slice.silenceInvalidSamples()
    let left = slice[0]
    let right = slice[slice.channelCount > 1 ? 1 : 0]
    var done = 0
    while done < slice.frameCount {
      let run = min(slice.frameCount - done, WetMixer.runFrames)
      room.render(left + done, right + done, into: mixer.left, mixer.right, count: run)
      mixer.mix(into: left + done, right + done, count: run)
      done += run
    }
  }

  @_noLocks
  private func settings(_ values: Values) -> LateReverberation.Settings {
    var settings = LateReverberation.Settings()
    settings.shortest = Double(values[.minDelayTime])
    settings.longest = Double(values[.maxDelayTime])
    settings.lowDecay = Double(values[.decayTimeAt0Hz])
    settings.highDecay = Double(values[.decayTimeAtNyquist])
    settings.variation = Int(values[.randomizeReflections] + 0.5)
    return settings
  }
}
