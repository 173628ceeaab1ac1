// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A tone of exact frequency: sine, band-limited square, triangle and saw; noise; or another test
/// signal.
///
/// Every channel plays the same tone, shifted from the previous channel by the channel phase. Random
/// noise differs from channel to channel unless "same noise" is set. Frequency and amplitude ramp
/// within a slice, and the phase continues through every change. Immediate changes of amplitude,
/// duty cycle, phases and modulation take 5 ms, as does the crossfade to another waveform.
struct ToneGenerator: GeneratorKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Generator, kAudioUnitSubType_ToneGenerator, "ToneGenerator",
    manufacturer: kAudioUnitManufacturer_SwiftAudioToolbox)

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case frequency, fineFrequency, amplitude, waveform, dutyCycle, phase, channelPhase, noiseSeed
    case sameNoise, noiseOrder, sampleBits, amFrequency, amDepth, fmFrequency, fmDeviation

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
          "waveform", .indexed, 0...10, default: 0,
          valueNames: [
            "Sine", "Square", "Triangle", "Saw", "White noise", "Pink noise",
            "Maximum-length sequence", "Periodic pink noise", "J-test", "Impulse", "Constant",
          ])
      case .dutyCycle: .init("duty cycle", .percent, 1...99, default: 50, ramps: true)
      case .phase: .init("phase", .degrees, -180...180, default: 0, ramps: true)
      case .channelPhase: .init("channel phase", .degrees, -180...180, default: 0, ramps: true)
      case .noiseSeed:
        // Equal seeds give equal noise, so that renders can be repeated. Different seeds give
        // unrelated noise.
        .init("noise seed", .indexed, 1...65_535, default: 1, display: .flag_ExpertMode)
      case .sameNoise:
        .init("same noise", .boolean, 0...1, default: 0, display: .flag_ExpertMode)
      case .noiseOrder:
        // The kernel is made with it, so a change takes effect at the next initialization.
        .init("noise order", .indexed, 4...20, default: 16, display: .flag_ExpertMode)
      case .sampleBits:
        .init("sample bits", .indexed, 8...24, default: 24, display: .flag_ExpertMode)
      case .amFrequency, .fmFrequency:
        .init(
          self == .amFrequency ? "AM frequency" : "FM frequency", .hertz, 0.01...192_000,
          default: 5, limit: .halfSampleRate, display: .flag_DisplayLogarithmic)
      case .amDepth: .init("AM depth", .percent, 0...100, default: 0, ramps: true)
      case .fmDeviation:
        .init(
          "FM deviation", .hertz, 0...192_000, default: 0, limit: .halfSampleRate, ramps: true)
      }
    }
  }

  private var voices: ToneVoices

  init(_ setup: KernelSetup) {
    voices = ToneVoices(
      sampleRate: setup.format.sampleRate, channelCount: setup.format.channelCount,
      noiseOrder: Int(setup.value(Parameter.noiseOrder)),
      preparesNoise: Self.waveform(setup.value(Parameter.waveform)).needsNoiseTables)
  }

  deinit { voices.deallocate() }

  /// [any thread] The waveform of a value of the parameter.
  @_noLocks
  static func waveform(_ value: Float) -> Waveform { Waveform(rawValue: Int32(value)) ?? .sine }

  mutating func reset() { voices.reset() }

  @_noLocks
  mutating func render(_ output: Slice, _ values: Values) {
    let tone = ToneVoices.Tone(
      waveform: Self.waveform(values[.waveform]),
      frequency: Double(values[.frequency]) + Double(values[.fineFrequency]),
      frequencyStep: Double(values.step(.frequency)) + Double(values.step(.fineFrequency)),
      seed: UInt64(values[.noiseSeed]),
      hasSameNoise: values[.sameNoise] >= 0.5, sampleBits: Int(values[.sampleBits]))
    voices.follow(
      tone,
      SIMD4(
        values[.amplitude], values[.dutyCycle], values[.phase], values[.channelPhase]),
      steps: SIMD4(
        values.step(.amplitude), values.step(.dutyCycle), values.step(.phase),
        values.step(.channelPhase)))
    voices.modulation.follow(
      am: (Double(values[.amFrequency]), values[.amDepth], values.step(.amDepth)),
      fm: (Double(values[.fmFrequency]), values[.fmDeviation], values.step(.fmDeviation)))
    voices.render(output)
  }
}
