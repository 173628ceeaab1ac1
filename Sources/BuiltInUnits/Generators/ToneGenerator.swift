// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A tone of exact frequency: sine, band-limited square, triangle and saw, or noise.
///
/// The same signal comes out of every channel, each shifted against the one before it by the channel
/// phase. Frequency and amplitude ramp within a slice, the phase goes on through every change.
struct ToneGenerator: GeneratorKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Generator, kAudioUnitSubType_ToneGenerator, "ToneGenerator",
    manufacturer: kAudioUnitManufacturer_SwiftAudioToolbox)

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case frequency, fineFrequency, amplitude, waveform, dutyCycle, phase, channelPhase, noiseSeed

    var spec: ParameterSpec {
      switch self {
      case .frequency:
        .init(
          "frequency", .hertz, 0.01...384_000, default: 440, limit: .halfSampleRate,
          display: .flag_DisplayLogarithmic, ramps: true)
      case .fineFrequency:
        // Added in double precision: together they name what a Float32 cannot.
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
        // Equal seeds give equal noise, so that renders repeat; others have nothing in common.
        .init("noise seed", .indexed, 1...65_535, default: 1, display: .flag_ExpertMode)
      }
    }
  }

  private var oscillator: ToneOscillator
  private let nyquist: Double

  init(_ setup: KernelSetup) {
    oscillator = ToneOscillator(sampleRate: setup.format.sampleRate)
    nyquist = setup.format.sampleRate / 2
  }

  mutating func reset() { oscillator.reset() }

  @_noLocks
  mutating func render(_ output: Slice, _ values: Values) {
    let shift = Double(values[.channelPhase]) / 360
    let shiftStep = Double(values.step(.channelPhase)) / 360
    let areEqual = shift == 0 && shiftStep == 0
    oscillator.setSeed(UInt64(values[.noiseSeed]))
    var channel = 1
    while channel < output.channelCount {
      if !areEqual {
        var shifted = oscillator
        Self.fill(
          output[channel], output.frameCount, with: &shifted, values, nyquist: nyquist,
          shift: Double(channel) * shift, shiftStep: Double(channel) * shiftStep)
      }
      channel += 1
    }
    Self.fill(
      output[0], output.frameCount, with: &oscillator, values, nyquist: nyquist, shift: 0,
      shiftStep: 0)
    channel = 1
    while areEqual, channel < output.channelCount {
      Samples.copy(output[0], to: output[channel], count: output.frameCount)
      channel += 1
    }
  }

  /// [render thread] One channel of a slice, its phase shifted by so many cycles.
  @_noLocks
  private static func fill(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, with oscillator: inout ToneOscillator,
    _ values: Values, nyquist: Double, shift: Double, shiftStep: Double
  ) {
    let frequency = Double(values[.frequency]) + Double(values[.fineFrequency])
    oscillator.render(
      into: samples, count: count,
      waveform: Waveform(rawValue: Int32(values[.waveform])) ?? .sine,
      frequency: min(max(frequency, 0), nyquist), frequencyStep: Double(values.step(.frequency)),
      amplitude: values[.amplitude], amplitudeStep: values.step(.amplitude),
      duty: values[.dutyCycle] / 100, dutyStep: values.step(.dutyCycle) / 100,
      phaseOffset: Double(values[.phase]) / 360 + shift,
      phaseOffsetStep: Double(values.step(.phase)) / 360 + shiftStep)
  }
}
