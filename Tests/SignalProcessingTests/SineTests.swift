// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing
import Testing

@Suite("Sine oscillator")
struct SineTests {
  @Test(
    "has less than -145 dB of distortion and noise", arguments: [997, 440, 6_000.5, 19_997],
    [1, 0.501_187, 0.1] as [Float])
  func purity(frequency: Double, amplitude: Float) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let signal = oscillator.signal(.sine, frequency, amplitude: amplitude, count: 96_000)
    #expect(signal.distortionAndNoise(at: frequency) < -145)
  }

  @Test("has no spurious line above -160 dB")
  func spurs() {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let spectrum = Spectrum(oscillator.signal(.sine, 997, count: 1 << 17))
    #expect(decibels(spectrum.highest(except: [997]).amplitude) < -160)
  }

  @Test("is as pure after an hour as at the start")
  func purityAfterAnHour() {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    oscillator.skip(48_000 * 3_600, frequency: 997)
    let fit = oscillator.signal(.sine, 997, count: 48_000).tone(at: 997)
    #expect(fit.distortionAndNoise < -145)
    #expect(abs(fit.phase) < 1e-6)
  }

  @Test("has exactly the frequency and level requested", arguments: [0.1, 0.501_187, 1] as [Float])
  func frequencyAndLevel(amplitude: Float) {
    var oscillator = ToneOscillator(sampleRate: 44_100)
    let fit = oscillator.signal(.sine, 440, amplitude: amplitude, count: 88_200).tone(near: 440.1)
    #expect(abs(fit.frequency - 440) < 1e-6)
    #expect(abs(fit.amplitude / Double(amplitude) - 1) < 1e-7)
  }

  @Test("reaches its amplitude at the peaks and never exceeds it", arguments: [1, 0.3] as [Float])
  func crest(amplitude: Float) {
    let count = 1 << 16
    var samples = [Float](repeating: 0, count: count)
    // All 32-bit phases around peak and trough that could round to more than the amplitude.
    for crest in [UInt64(1) << 62, 3 << 62] {
      for run in -8..<8 {
        let phase = crest &+ UInt64(bitPattern: Int64(run * count) << 32)
        SineKernel.render(
          into: &samples, count: count, phase: phase, increment: 1 << 32, amplitude: amplitude)
        #expect(samples.allSatisfy { $0.magnitude <= amplitude })
      }
      SineKernel.render(into: &samples, count: 1, phase: crest, increment: 0, amplitude: amplitude)
      #expect(samples[0].magnitude == amplitude)
    }
  }

  @Test("produces the same bits as its Swift version", arguments: [1, 15, 16, 17, 64, 1_000])
  func reference(count: Int) {
    var random = Xoshiro256(seed: 3)
    for steps in [(UInt64(0), Float(0)), (1 << 40, 1e-4), (UInt64(bitPattern: -1 << 44), -1e-5)] {
      let (phase, increment) = (random.next(), random.next())
      var kernel = [Float](repeating: 0, count: count)
      var reference = kernel
      SineKernel.render(
        into: &kernel, count: count, phase: phase, increment: increment, incrementStep: steps.0,
        amplitude: 0.7, amplitudeStep: steps.1)
      var (position, step) = (phase, increment)
      for index in 0..<count {
        reference[index] = SineKernel.sine(ofPhase: position) * (0.7 + steps.1 * Float(index))
        position &+= step
        step &+= steps.0
      }
      #expect(kernel == reference)
    }
  }

  @Test("sweeps without a step above what a sine allows", arguments: [7, 64, 512])
  func sweep(slice: Int) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let signal = oscillator.sweep(.sine, from: 200, to: 2_000, count: 96_000, slice: slice)
    // At the highest frequency; float rounding is far below one per cent of that bend.
    #expect(signal.largestBend(frequency: 2_000, amplitude: 1) < 1.01)
    #expect(signal[0..<4_000].largestBend(frequency: 280, amplitude: 1) < 1.01)
  }

  @Test("follows a linear sweep exactly in phase")
  func sweepPhase() {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let signal = oscillator.sweep(.sine, from: 100, to: 10_100, count: 48_000, slice: 480)
    let step = 10_000.0 / 48_000
    let expected = (0..<48_000).map { index in
      let i = Double(index)
      let cycles = (100 * i + step * i * (i - 1) / 2) / 48_000
      return Math.sine(2 * .pi * cycles.truncatingRemainder(dividingBy: 1))
    }
    #expect(signal.largestDifference(from: Signal(expected)) < 3e-7)
  }

  @Test("ramps its level linearly")
  func levelRamp() {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    var samples = [Float](repeating: 0, count: 1_001)
    oscillator.render(
      into: &samples, count: 1_001, waveform: .sine, frequency: 0, amplitude: 0.2,
      amplitudeStep: 0.0005, phaseOffset: 0.25)
    #expect(abs(samples[0] - 0.2) < 1e-7)
    #expect(abs(samples[500] - 0.45) < 1e-7)
    #expect(abs(samples[1_000] - 0.7) < 1e-7)
  }

  @Test("starts at the phase offset", arguments: [-0.5, -0.125, 0, 0.25, 3.1])
  func phaseOffset(cycles: Double) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    var samples = [Float](repeating: 0, count: 48_000)
    oscillator.render(
      into: &samples, count: 48_000, waveform: .sine, frequency: 1_000, amplitude: 1,
      phaseOffset: cycles)
    let error = Signal(samples).tone(at: 1_000).phase - cycles
    #expect(abs(error - error.rounded()) < 1e-8)
  }
}
