// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing
import Testing

@Suite("Noise")
struct NoiseTests {
  @Test(
    "pink noise falls by 3.01 dB an octave",
    arguments: [44_100.0, 48_000, 88_200, 96_000, 176_400, 192_000])
  func pinkSlope(sampleRate: Double) {
    // Filtered white noise of this length: the slope itself scatters by 0.01 dB.
    var oscillator = ToneOscillator(sampleRate: sampleRate)
    let noise = oscillator.signal(.pinkNoise, 0, count: 1 << 22)
    #expect(abs(noise.slope(from: 20, to: 20_480) + 3.01) < 0.1)
  }

  @Test(
    "the pink filter is straight to 0.05 dB from 20 Hz to 20 kHz",
    arguments: [44_100.0, 48_000, 88_200, 96_000, 176_400, 192_000])
  func pinkResponse(sampleRate: Double) {
    let filter = PinkFilter(sampleRate: sampleRate)
    let deviations = stride(from: 0.0, through: 9.96, by: 0.01).map { octave in
      let frequency = 20 * Math.power(2, octave)
      return filter.level(at: frequency, sampleRate: sampleRate) + 10
        * Math.decimalLogarithm(frequency)
    }
    let spread = (deviations.max() ?? 0) - (deviations.min() ?? 0)
    #expect(spread < 0.05)
  }

  @Test("white noise is flat, bounded and without a DC component")
  func white() {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let noise = oscillator.signal(.whiteNoise, 0, amplitude: 0.5, count: 1 << 21)
    #expect(noise.peak <= 0.5)
    #expect(abs(noise.rms - 0.5 / 3.0.squareRoot()) < 0.001)
    #expect(abs(noise.mean) < 0.001)
    #expect(abs(noise.slope(from: 20, to: 20_480)) < 0.1)
  }

  @Test("pink noise has its documented level")
  func pinkLevel() {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let noise = oscillator.signal(.pinkNoise, 0, count: 1 << 21)
    #expect(abs(noise.rms - ToneOscillator.pinkLevel) < 0.005)
  }

  @Test("is the same for equal seeds, and different for others")
  func seeds() {
    func noise(seed: UInt64) -> [Double] {
      var oscillator = ToneOscillator(sampleRate: 48_000, seed: seed)
      return oscillator.signal(.whiteNoise, 0, count: 100).samples
    }
    #expect(noise(seed: 5) == noise(seed: 5))
    #expect(noise(seed: 5) != noise(seed: 6))
  }
}
