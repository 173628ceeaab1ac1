// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing
import Testing

@Suite("Level of tones")
struct ToneLevelTests {
  @Test(
    "is the peak of a band-limited wave, whatever its frequency",
    arguments: [Waveform.square, .triangle, .saw],
    [0.5, 20.1, 100.3, 439.7, 997.1, 2_001.3, 4_999.1, 7_919.3, 9_001.7, 12_345.6, 19_000.1])
  func peak(waveform: Waveform, frequency: Double) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let peak = oscillator.signal(waveform, frequency, count: 192_000).peak
    #expect(abs(decibels(peak)) < 0.05)
  }

  @Test(
    "is the peak of narrow pulses while they have their partials", arguments: [0.02, 0.1, 0.3, 0.7])
  func pulses(duty: Float) {
    for frequency in [20.1, 100.3, 439.7, 997.1] {
      var oscillator = ToneOscillator(sampleRate: 48_000)
      let peak = oscillator.signal(.square, frequency, duty: duty, count: 192_000).peak
      #expect(abs(decibels(peak)) < 0.05)
    }
  }

  @Test("is not exceeded by noise", arguments: [Waveform.whiteNoise, .pinkNoise])
  func noise(waveform: Waveform) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    #expect(oscillator.signal(waveform, 0, count: 4_000_000).peak <= 1)
  }
}

@Suite("Frequencies beyond half the sample rate")
struct FrequencyLimitTests {
  /// A wave at half the sample rate.
  private func steady(_ waveform: Waveform, from frame: Int, of sweep: ToneOscillator) -> Signal {
    var oscillator = sweep
    return oscillator.signal(waveform, 24_000, count: 512 - frame)
  }

  @Test("are clamped when a ramp exceeds the limit", arguments: Waveform.allCases, [1e9, 3e38])
  func upward(waveform: Waveform, end: Double) {
    var samples = [Float](repeating: .nan, count: 512)
    var oscillator = ToneOscillator(sampleRate: 48_000)
    oscillator.render(
      into: &samples, count: 512, waveform: waveform, frequency: 440,
      frequencyStep: (end - 440) / 512, amplitude: 1)
    // The first frame has 440 Hz, all others are beyond the limit.
    var other = ToneOscillator(sampleRate: 48_000)
    let first = other.signal(waveform, 440, count: 1)
    let rest = steady(waveform, from: 1, of: other)
    #expect(Signal(samples).samples == first.samples + rest.samples)
  }

  @Test("apply again when a ramp returns below the limit")
  func downward() {
    var samples = [Float](repeating: .nan, count: 4_800)
    var oscillator = ToneOscillator(sampleRate: 48_000)
    oscillator.render(
      into: &samples, count: 4_800, waveform: .sine, frequency: 48_000, frequencyStep: -20,
      amplitude: 1, phaseOffset: 0.25)
    // After 1,200 frames at the limit, 23,980 Hz and so on.
    var other = ToneOscillator(sampleRate: 48_000)
    _ = other.signal(.sine, 24_000, count: 1_200)
    var rest = [Float](repeating: .nan, count: 3_600)
    other.render(
      into: &rest, count: 3_600, waveform: .sine, frequency: 24_000, frequencyStep: -20,
      amplitude: 1, phaseOffset: 0.25)
    #expect(Signal(Array(samples[1_200...])).largestDifference(from: Signal(rest)) < 1e-6)
  }

  @Test(
    "are skipped in the same way as they are rendered",
    arguments: [1e9, -1e9, 3e38, .infinity, .nan])
  func skipping(end: Double) {
    var samples = [Float](repeating: 0, count: 512)
    var rendered = ToneOscillator(sampleRate: 48_000)
    var skipped = rendered
    rendered.render(
      into: &samples, count: 512, waveform: .sine, frequency: 100, frequencyStep: end / 512,
      amplitude: 1)
    skipped.skip(512, frequency: 100, frequencyStep: end / 512)
    #expect(rendered.phase.phase == skipped.phase.phase)
    #expect(samples.allSatisfy { $0.magnitude <= 1 })
  }
}
