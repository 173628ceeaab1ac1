// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
@testable import SignalProcessing
import Testing

@Suite("Square, triangle and saw")
struct BandLimitedWaveTests {
  static let waveforms: [Waveform] = [.square, .triangle, .saw]

  private func harmonics(of frequency: Double, below limit: Double) -> [Double] {
    Array(stride(from: frequency, to: limit, by: frequency))
  }

  @Test(
    "has no alias above -90 dB of the fundamental", arguments: waveforms,
    [110.3, 997, 5_000, 7_919, 12_345.6, 19_000])
  func aliases(waveform: Waveform, frequency: Double) {
    var oscillator = ToneOscillator(sampleRate: 44_100)
    let signal = oscillator.signal(waveform, frequency, duty: 0.3, count: 1 << 17)
    let spectrum = Spectrum(signal)
    let alias = spectrum.highest(except: harmonics(of: frequency, below: 22_050))
    #expect(decibels(alias.amplitude / spectrum.amplitude(at: frequency)) < -90)
  }

  @Test(
    "has no alias above -95 dB of the fundamental where a partial is next to half the sample rate",
    arguments: waveforms, [5_514, 7_352, 11_027, 21_800])
  func aliasesOfEdge(waveform: Waveform, frequency: Double) {
    var oscillator = ToneOscillator(sampleRate: 44_100)
    let signal = oscillator.signal(waveform, frequency, duty: 0.3, count: 1 << 17)
    let spectrum = Spectrum(signal)
    let alias = spectrum.highest(except: harmonics(of: frequency, below: 22_050))
    #expect(decibels(alias.amplitude / spectrum.amplitude(at: frequency)) < -95)
  }

  @Test("has the harmonics of its ideal form", arguments: waveforms)
  func harmonicLevels(waveform: Waveform) {
    // A frequency in the middle of a bin, so that levels read true.
    let frequency = 48_000.0 / 64
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let spectrum = Spectrum(oscillator.signal(waveform, frequency, count: 1 << 16))
    for harmonic in 1...28 {
      let n = Double(harmonic)
      let isOdd = harmonic % 2 == 1
      let ideal =
        switch waveform {
        case .square: isOdd ? 1 / n : 0
        case .triangle: isOdd ? 1 / (n * n) : 0
        default: 1 / n
        }
      // Up to 0.875 of half the rate; the edges are interpolated with a precision of 1e-5.
      let level = spectrum.amplitude(at: frequency * n) / spectrum.amplitude(at: frequency)
      #expect(abs(level - ideal) < 3e-5)
    }
  }

  @Test("is in phase with a sine", arguments: waveforms)
  func phase(waveform: Waveform) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let fit = oscillator.signal(waveform, 997, count: 48_000).tone(at: 997)
    #expect(abs(fit.phase) < 1e-6)
  }

  @Test("has no DC component, at any duty", arguments: [0.01, 0.1, 0.5, 0.73, 0.99] as [Float])
  func directCurrent(duty: Float) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let square = oscillator.signal(.square, 480, duty: duty, count: 48_000)
    #expect(abs(square.mean) < 1e-5)
    #expect(abs(oscillator.signal(.saw, 480, count: 48_000).mean) < 1e-5)
    #expect(abs(oscillator.signal(.triangle, 480, count: 48_000).mean) < 1e-5)
  }

  @Test("stays at its levels between the edges", arguments: [0.1, 0.25, 0.5, 0.9] as [Float])
  func plateaus(duty: Float) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let square = oscillator.signal(.square, 10, amplitude: 0.5, duty: duty, count: 4_800)
    // The mean is zero; the farther side is below the amplitude by the overshoot of the edges.
    let share = Double(duty)
    let gain = Double(BandLimitedPeaks.shared.squareGain(period: 4_800, duty: share))
    let scale = 0.25 / max(share, 1 - share) * gain
    #expect(abs(square.samples[Int(4_800 * share / 2)] - 2 * (1 - share) * scale) < 1e-6)
    #expect(abs(square.samples[Int(4_800 * (1 + share) / 2)] + 2 * share * scale) < 1e-6)
  }

  @Test("keeps its shape down to a cycle in a quarter of an hour")
  func verySlow() {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let saw = oscillator.signal(.saw, 0.001, count: 4_800)
    let gain = Double(BandLimitedPeaks.shared.sawGain(period: 48_000_000))
    #expect(abs(saw.samples[4_799] - gain * 2 * 0.001 * 4_799 / 48_000) < 1e-9)
  }

  @Test("is the sum of its partials while its frequency moves")
  func movingPartials() {
    // Seven partials are below 0.9 of half the rate and complete. The eighth fades out as it rises,
    // and is all that may remain without them. A click would show as a bend.
    let count = 48_000
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let saw = oscillator.sweep(.saw, from: 2_900, to: 2_910, count: count, slice: 100)
    let step = 10.0 / Double(count)
    let expected = (0..<count).map { index in
      let i = Double(index)
      let cycles = (2_900 * i + step * i * (i - 1) / 2) / 48_000
      // All scaled by the gain for the wave's peak.
      let period = 48_000 / (2_900 + step * i)
      let gain = Double(BandLimitedPeaks.shared.sawGain(period: period))
      return gain
        * (1...7).reduce(0.0) { sum, n in
          let angle = 2 * .pi * (cycles * Double(n)).truncatingRemainder(dividingBy: 1)
          return sum + (n % 2 == 1 ? 2 : -2) / (.pi * Double(n)) * Math.sine(angle)
        }
    }
    let rest = Signal(zip(saw.samples, expected).map { $0 - $1 }, sampleRate: 48_000)
    #expect(rest.peak < 2 / (8 * .pi))
    #expect(rest.largestBend(frequency: 8 * 2_910, amplitude: rest.peak) < 1.02)
  }
}
