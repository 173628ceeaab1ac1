// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing
import Testing

@Suite("Tone oscillator")
struct ToneOscillatorTests {
  @Test("sounds the same in slices of any size", arguments: Waveform.allCases, [1, 7, 64, 333])
  func slices(waveform: Waveform, slice: Int) {
    var whole = ToneOscillator(sampleRate: 48_000)
    var parts = ToneOscillator(sampleRate: 48_000)
    let count = 2_000
    let expected = whole.signal(
      waveform, 997, amplitude: 0.3, duty: 0.2, count: count, slice: count)
    let sliced = parts.signal(waveform, 997, amplitude: 0.3, duty: 0.2, count: count, slice: slice)
    #expect(expected.samples == sliced.samples)
  }

  @Test("begins again after a reset", arguments: Waveform.allCases)
  func reset(waveform: Waveform) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    let first = oscillator.signal(waveform, 440, count: 1_000)
    oscillator.reset()
    #expect(oscillator.signal(waveform, 440, count: 1_000).samples == first.samples)
  }

  @Test("keeps its phase when the waveform changes", arguments: Waveform.allCases)
  func phase(waveform: Waveform) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    _ = oscillator.signal(waveform, 440, count: 12_345)
    let fit = oscillator.signal(.sine, 440, count: 48_000).tone(at: 440)
    let expected = 440.0 * 12_345 / 48_000
    #expect(abs(fit.phase - (expected - expected.rounded())) < 1e-7)
  }

  @Test("survives frequencies out of range", arguments: Waveform.allCases)
  func range(waveform: Waveform) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    for frequency in [0, -440, 24_000, 47_999, 1e6] {
      let signal = oscillator.signal(waveform, frequency, count: 500)
      #expect(signal.samples.allSatisfy { $0.isFinite && abs($0) < 2 })
    }
  }

  @Test("ramps duty and phase offset linearly")
  func steps() {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    var samples = [Float](repeating: 0, count: 48_000)
    oscillator.render(
      into: &samples, count: 48_000, waveform: .sine, frequency: 1_000, amplitude: 1,
      phaseOffsetStep: 1 / 48_000)
    // One more cycle per second is one hertz.
    #expect(abs(Signal(samples).tone(near: 1_001.1).frequency - 1_001) < 1e-6)
    oscillator.reset()
    oscillator.render(
      into: &samples, count: 48_000, waveform: .square, frequency: 10, amplitude: 1, duty: 0.2,
      dutyStep: 0.5 / 48_000)
    // In the sixth of ten periods the duty is about 0.46: high at 0.4 of it, low at 0.5.
    #expect(samples[4_800 * 5 + 1_920] > 0)
    #expect(samples[4_800 * 5 + 2_400] < 0)
  }
}
