// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import CKernels
import Foundation
import Testing

@testable import SignalProcessing

@Suite("Delays")
struct DelayTests {
  typealias Settings = FeedbackDelay.Settings

  /// The output of a delay for a signal, in runs of `slice`; `settings` are those at a frame.
  private func render(
    _ input: [Float], slice: Int = 512, settings: (Int) -> Settings
  ) -> [Float] {
    var delay = FeedbackDelay(channelCount: 1, longestDelay: 96_000, sampleRate: 48_000)
    defer { delay.deallocate() }
    var output = input
    output.withUnsafeMutableBufferPointer { samples in
      guard var base = samples.baseAddress else { return }
      var frame = 0
      while frame < samples.count {
        let run = min(slice, samples.count - frame)
        delay.set(settings(frame))
        delay.render(&base, offset: frame, count: run)
        frame += run
      }
    }
    return output
  }

  private func settings(
    _ delay: Double, feedback: Float = 0.5, dry: Float = 0, wet: Float = 1, cutoff: Double = 0.5
  ) -> Settings {
    .init(delay: delay, feedback: feedback, dry: dry, wet: wet, cutoff: cutoff)
  }

  @Test(
    "repeat an impulse at the delay time, each echo fainter by the feedback",
    arguments: [1, 3, 100, 4801])
  func echoes(distance: Int) {
    var input = [Float](repeating: 0, count: 6 * distance)
    input[0] = 1
    for feedback in [0.5, -0.8] as [Float] {
      let output = render(input) { _ in settings(Double(distance), feedback: feedback) }
      var expected = [Float](repeating: 0, count: input.count)
      for echo in 1..<6 {
        expected[echo * distance] = (1..<echo).reduce(1) { level, _ in level * feedback }
      }
      let isExpected = output == expected
      #expect(isExpected)
    }
  }

  @Test(
    "of fractions of a frame are exact up to high frequencies", arguments: [0.1, 0.25, 0.5, 0.9])
  func fractions(fraction: Double) {
    for frequency in [100.0, 1_000, 5_000, 10_000] {
      let tone = Signal.sine(frequency, count: 9_600)
      let output = render(tone.floats) { _ in settings(20 + fraction, feedback: 0) }
      let found = Signal(output).dropping(4_800).tone(at: frequency)
      let expected = Signal.sine(frequency, phase: -frequency / 48_000 * (20 + fraction))
      let phase = expected.dropping(4_800).tone(at: frequency).phase
      var error = found.phase - phase
      error -= error.rounded()
      #expect(abs(decibels(found.amplitude)) < 0.1, "\(frequency) Hz")
      #expect(abs(error) * 48_000 / frequency < 0.003, "frames at \(frequency) Hz")
    }
  }

  @Test(
    "of half a frame keep high frequencies",
    arguments: [(1_000.0, 0.01), (10_000, 0.01), (18_000, 0.5)])
  func treble(frequency: Double, loss: Double) {
    let tone = Signal.sine(frequency, count: 9_600)
    let output = render(tone.floats) { _ in settings(20.5, feedback: 0) }
    let level = decibels(Signal(output).dropping(4_800).tone(at: frequency).amplitude)
    #expect(level < 0.001 && level > -loss)
  }

  @Test(
    "never become louder than their input by interpolation", arguments: [4.0, 7, 8, 11, 12, 50])
  func passivity(whole: Double) {
    for fraction in stride(from: 0.05, to: 1, by: 0.05) {
      var impulse = [Float](repeating: 0, count: 1024)
      impulse[0] = 1
      var real = render(impulse) { _ in settings(whole + fraction, feedback: 0) }.map(Double.init)
      var imaginary = [Double](repeating: 0, count: 1024)
      fourierTransform(&real, &imaginary)
      let highest = zip(real, imaginary).reduce(0) { max($0, hypot($1.0, $1.1)) }
      #expect(highest < 1 + 1e-6)
    }
  }

  @Test("filter each echo once more", arguments: [500.0, 4_000, 15_000])
  func filter(cutoff: Double) {
    let tone = Signal.sine(cutoff, count: 48_000)
    // A tone at the cut-off of a first-order filter: 3 dB below, an eighth of a cycle late.
    let output = render(tone.floats) { _ in settings(9_600, feedback: 0, cutoff: cutoff / 48_000) }
    let echo = Signal(output).dropping(19_200).tone(at: cutoff)
    #expect(abs(decibels(echo.amplitude) + 3.0103) < 0.01)
    let constant = render(Array(repeating: 1, count: 48_000)) { _ in
      settings(480, feedback: 0, cutoff: cutoff / 48_000)
    }
    #expect(abs((constant.last ?? 0) - 1) < 1e-5, "the gain at 0 Hz is one")
  }

  @Test("give the same bits in slices of any size", arguments: [1, 7, 64, 480])
  func slices(slice: Int) {
    var random = Xoshiro256(seed: 3)
    let input = (0..<26_880).map { _ in random.nextSample() }
    func sound(_ slice: Int) -> [Float] {
      render(input, slice: slice) { frame in
        frame < 13_440
          ? settings(321.4, feedback: 0.7, dry: 0.5, wet: 0.7, cutoff: 0.2)
          : settings(200, feedback: -0.3, dry: 1, wet: 0.1, cutoff: 0.05)
      }
    }
    let isSame = sound(slice) == sound(13_440)
    #expect(isSame)
  }

  @Test("change time, feedback, mix and filter without a click")
  func changes() {
    let tone = Signal.sine(441, amplitude: 0.25, count: 96_000)
    var random = Xoshiro256(seed: 8)
    let output = render(tone.floats, slice: 240) { frame in
      guard frame >= 9_600 else { return settings(2_400, feedback: 0.4) }
      let knob = Double(random.nextSample())
      return settings(
        3_000 + 2_000 * knob, feedback: Float(0.4 * knob), dry: Float(abs(knob)),
        wet: Float(1 - abs(knob)), cutoff: 0.2 + 0.19 * knob)
    }
    // A click has sound above 8 kHz; a sine of 441 Hz with moving gains does not.
    let spectrum = Spectrum(Signal(Array(output[9_600...])))
    let above = spectrum.amplitudes.enumerated().filter {
      Double($0.offset) * spectrum.binWidth > 8_000
    }
    let power = above.reduce(0) { $0 + $1.element * $1.element }
    let level = decibels(power.squareRoot() / 0.25)
    #expect(level < -74)
  }

  @Test(
    "of whole frames pass the input unchanged after the delay", arguments: [0, 1, 511, 48_000])
  func wholeDelay(frames: Int) {
    var random = Xoshiro256(seed: 5)
    let input = (0..<60_000).map { _ in random.nextSample() }
    for slice in [1_000, 4_096] {
      var output = input
      var delay = IntegerDelay(channelCount: 1, longestDelay: 48_000, sampleRate: 48_000)
      defer { delay.deallocate() }
      output.withUnsafeMutableBufferPointer { samples in
        guard var base = samples.baseAddress else { return }
        for frame in Swift.stride(from: 0, to: samples.count, by: slice) {
          delay.set(frames)
          delay.render(&base, offset: frame, count: min(slice, samples.count - frame))
        }
      }
      let isLate = output == Array(repeating: 0, count: frames) + input.dropLast(frames)
      #expect(isLate)
    }
  }

  @Test("mix at equal power, and exactly at both ends")
  func equalPower() {
    #expect(EqualPowerMix(percent: 0).dry == 1 && EqualPowerMix(percent: 0).wet == 0)
    #expect(EqualPowerMix(percent: 100).dry == 0 && EqualPowerMix(percent: 100).wet == 1)
    #expect(EqualPowerMix(percent: -5).dry == 1 && EqualPowerMix(percent: 200).wet == 1)
    for percent in 0...100 {
      let mix = EqualPowerMix(percent: Float(percent))
      #expect(abs(mix.dry * mix.dry + mix.wet * mix.wet - 1) < 1e-6)
      #expect(abs(Double(mix.wet) - sin(Double(percent) * .pi / 200)) < 1e-7)
    }
  }

  @Test(
    "have kernels with the same bits as their Swift versions", arguments: [1, 7, 16, 501])
  func references(count: Int) {
    var random = Xoshiro256(seed: UInt64(count))
    func noise(_ count: Int) -> [Float] { (0..<count).map { _ in random.nextSample() } }
    let (input, echo, taps) = (noise(count + 23), noise(count), noise(24))
    var (one, other) = (input, input)
    var (past, otherPast) = (echo, echo)
    kernel_echo(&one, echo, &past, count, 0.7, 0.6, -0.3)
    DelayOracle.mix(
      &other, echo, into: &otherPast, count: count, feedback: 0.7, dry: 0.6, wet: -0.3)
    #expect(one == other && past == otherPast && one != input)
    for groups in 1...3 {
      var (sums, otherSums) = (echo, echo)
      kernel_interpolation(&sums, input, taps, groups, count)
      DelayOracle.interpolate(input, taps, groups: groups, into: &otherSums, count: count)
      #expect(sums == otherSums && sums != echo)
    }
  }

  @Test("get no unusable samples: only those are silenced")
  func unusable() {
    func cleaned(_ samples: [Float]) -> [Float] {
      var samples = samples
      samples.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        Samples.discardUnusable(base, count: buffer.count)
      }
      return samples
    }
    var samples: [Float] = (0..<37).map { Float($0) - 18 }
    let clean = samples
    #expect(cleaned(samples) == clean)
    let bad: [Float] = [.nan, -.nan, .infinity, -.infinity, 3e38, -1e20, .nan]
    for (index, value) in bad.enumerated() { samples[index * 6] = value }
    let expected = clean.indices.map { $0 % 6 == 0 ? 0 : clean[$0] }
    #expect(cleaned(samples) == expected)
  }
}
