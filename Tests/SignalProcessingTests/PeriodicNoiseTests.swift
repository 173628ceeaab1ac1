// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing
import Testing

@Suite("Signals that repeat")
struct PeriodicNoiseTests {
  private func signal(_ waveform: Waveform, order: Int, count: Int, amplitude: Float = 1) -> Signal
  {
    var oscillator = ToneOscillator(sampleRate: 48_000, noiseOrder: order)
    return oscillator.signal(waveform, 0, amplitude: amplitude, count: count, slice: 333)
  }

  @Test(
    "a maximum-length sequence meets itself once in its period, and is -1 everywhere else",
    arguments: [4, 7, 10, 12])
  func correlation(order: Int) {
    let period = 1 << order - 1
    let samples = signal(.maximumLengthSequence, order: order, count: period).samples
    for lag in 0..<period {
      var sum = 0.0
      for frame in 0..<period { sum += samples[frame] * samples[(frame + lag) % period] }
      #expect(sum == (lag == 0 ? Double(period) : -1))
    }
  }

  @Test("a sequence of every order has one more sample above zero than below, and repeats")
  func balance() {
    for order in PeriodicNoise.orders {
      let period = 1 << order - 1
      let samples = signal(.maximumLengthSequence, order: order, count: 2 * period).samples
      #expect(samples[..<period].reduce(0, +) == 1)
      #expect(samples[..<period] == samples[period...][..<(2 * period)].prefix(period))
      #expect(samples.allSatisfy { abs($0) == 1 })
      // No shorter period: the run of as many ones as the order occurs once.
      var (run, runs) = (0, 0)
      for sample in samples[..<(period + order - 1)] {
        run = sample > 0 ? run + 1 : 0
        if run >= order { runs += 1 }
      }
      #expect(runs == 1)
    }
  }

  @Test("an oscillator that does not prepare the noise is silent until it is there")
  func unprepared() {
    // No other test has this order.
    let order = 19
    var oscillator = ToneOscillator(sampleRate: 48_000, noiseOrder: order, preparesNoise: false)
    let isPrepared = PeriodicNoise.ofOrder(order).isReady
    #expect(oscillator.isReady(for: .maximumLengthSequence) == isPrepared)
    #expect(oscillator.isReady(for: .sine) && oscillator.isReady(for: .pinkNoise))
    for waveform in [Waveform.maximumLengthSequence, .periodicPinkNoise] where !isPrepared {
      let samples = oscillator.signal(waveform, 0, amplitude: 1, count: 100, slice: 33).samples
      #expect(samples.allSatisfy { $0 == 0 })
    }
    PeriodicNoise.ofOrder(order).prepare()
    #expect(oscillator.isReady(for: .periodicPinkNoise))
    let samples = oscillator.signal(
      .maximumLengthSequence, 0, amplitude: 1, count: 100, slice: 33
    ).samples
    #expect(samples.allSatisfy { abs($0) == 1 })
  }

  @Test("every line of periodic pink noise falls by 3.01 dB per octave", arguments: [8, 12, 16])
  func pinkLines(order: Int) {
    let period = 1 << order
    let whole = signal(.periodicPinkNoise, order: order, count: 2 * period)
    #expect(whole.samples.prefix(period) == whole.samples.suffix(period))
    var real = Array(whole.samples.prefix(period))
    var imaginary = [Double](repeating: 0, count: period)
    fourierTransform(&real, &imaginary)
    func level(_ line: Int) -> Double {
      10 * Math.decimalLogarithm(real[line] * real[line] + imaginary[line] * imaginary[line])
    }
    let first = level(1)
    for line in 2..<period / 2 {
      #expect(abs(level(line) - first + 10 * Math.decimalLogarithm(Double(line))) < 0.01)
    }
  }

  @Test("periodic pink noise of every order has the level of pink noise, and no clipped sample")
  func pinkLevel() {
    for order in PeriodicNoise.orders {
      let noise = signal(.periodicPinkNoise, order: order, count: 1 << order)
      #expect(abs(noise.rms - ToneOscillator.pinkLevel) < 1e-6)
      #expect(noise.peak < 1 && abs(noise.mean) < 1e-6)
    }
  }

  @Test("the J-test has the samples of its definition", arguments: [16, 24])
  func jitter(bits: Int) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    var samples = [Float](repeating: .nan, count: 400)
    oscillator.render(
      into: &samples, count: 400, waveform: .jitterTest, frequency: 0, amplitude: 0.5, bits: bits)
    let scale = Float(1 << (bits - 1))
    let half = Float(1 << (bits - 2))
    for (frame, sample) in samples.enumerated() {
      let lastBit: Float = frame % 192 < 96 ? 0 : 1
      #expect(sample * scale == (frame % 4 < 2 ? -half : half) - lastBit)
    }
  }

  @Test("the J-test stays within the numbers of its bits, in whole steps", arguments: [0, 0.3, 1])
  func jitterLevels(amplitude: Float) {
    let test = signal(.jitterTest, order: 16, count: 400, amplitude: amplitude)
    for sample in test.samples {
      let step = sample * 0x1p23
      #expect(step == step.rounded() && (-0x1p23...0x1p23 - 1).contains(step))
    }
    if amplitude == 0 { #expect(test.peak == 0) }
  }

  @Test(
    "impulses are the frames nearest to the starts of the periods",
    arguments: [1_000, 7_000, 0.5, 24_000.0 / 7])
  func impulses(frequency: Double) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let samples = oscillator.signal(
      .impulse, frequency, amplitude: 0.5, count: 200_000, slice: 500
    ).samples
    let hits = samples.indices.filter { samples[$0] != 0 }
    let period = 48_000 / frequency
    #expect(hits.count == Int((199_999.5 / period).rounded(.down)) + 1)
    for (number, frame) in hits.enumerated() {
      #expect(abs(Double(frame) - Double(number) * period) <= 0.5 + 1e-6)
      #expect(samples[frame] == 0.5)
    }
  }

  @Test("a constant is the amplitude, turned by the phase")
  func constant() {
    for (offset, expected) in [(0.0, 0.5), (0.5, -0.5), (0.25, 0)] {
      var oscillator = ToneOscillator(sampleRate: 48_000)
      var samples = [Float](repeating: .nan, count: 100)
      oscillator.render(
        into: &samples, count: 100, waveform: .constant, frequency: 440, amplitude: 0.5,
        phaseOffset: offset)
      #expect(samples.allSatisfy { abs(Double($0) - expected) < 1e-7 })
    }
  }
}
