// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A tone of exact frequency: sine, band-limited square, triangle and saw, or noise.
///
/// Every channel plays the same tone, shifted from the previous channel by the channel phase. Noise
/// differs from channel to channel unless "same noise" is set. Frequency and amplitude ramp within
/// a slice, and the phase continues through every change. Immediate changes of amplitude, duty
/// cycle and phases take 5 ms, as does the crossfade to another waveform.
struct ToneGenerator: GeneratorKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Generator, kAudioUnitSubType_ToneGenerator, "ToneGenerator",
    manufacturer: kAudioUnitManufacturer_SwiftAudioToolbox)

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case frequency, fineFrequency, amplitude, waveform, dutyCycle, phase, channelPhase, noiseSeed
    case sameNoise

    var spec: ParameterSpec {
      switch self {
      case .frequency:
        .init(
          "frequency", .hertz, 0.01...384_000, default: 440, limit: .halfSampleRate,
          display: .flag_DisplayLogarithmic, ramps: true)
      case .fineFrequency:
        // Added in double precision, so that the sum is more precise than a Float32.
        .init("fine frequency", .hertz, -1...1, default: 0, display: .flag_ExpertMode)
      case .amplitude: .init("amplitude", .linearGain, 0...1, default: 0.25, ramps: true)
      case .waveform:
        .init(
          "waveform", .indexed, 0...5, default: 0,
          valueNames: ["Sine", "Square", "Triangle", "Saw", "White noise", "Pink noise"])
      case .dutyCycle: .init("duty cycle", .percent, 1...99, default: 50, ramps: true)
      case .phase: .init("phase", .degrees, -180...180, default: 0, ramps: true)
      case .channelPhase: .init("channel phase", .degrees, -180...180, default: 0, ramps: true)
      case .noiseSeed:
        // Equal seeds give equal noise, so that renders can be repeated. Different seeds give
        // unrelated noise.
        .init("noise seed", .indexed, 1...65_535, default: 1, display: .flag_ExpertMode)
      case .sameNoise:
        .init("same noise", .boolean, 0...1, default: 0, display: .flag_ExpertMode)
      }
    }
  }

  private var voices: ToneVoices

  init(_ setup: KernelSetup) {
    voices = ToneVoices(
      sampleRate: setup.format.sampleRate, channelCount: setup.format.channelCount)
  }

  deinit { voices.deallocate() }

  mutating func reset() { voices.reset() }

  @_noLocks
  mutating func render(_ output: Slice, _ values: Values) {
    let tone = ToneVoices.Tone(
      waveform: Waveform(rawValue: Int32(values[.waveform])) ?? .sine,
      frequency: Double(values[.frequency]) + Double(values[.fineFrequency]),
      frequencyStep: Double(values.step(.frequency)) + Double(values.step(.fineFrequency)),
      seed: UInt64(values[.noiseSeed]),
      hasSameNoise: values[.sameNoise] >= 0.5)
    voices.follow(
      tone,
      SIMD4(
        values[.amplitude], values[.dutyCycle], values[.phase], values[.channelPhase]),
      steps: SIMD4(
        values.step(.amplitude), values.step(.dutyCycle), values.step(.phase),
        values.step(.channelPhase)))
    voices.render(output)
  }
}
