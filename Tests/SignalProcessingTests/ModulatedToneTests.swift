// SPDX-License-Identifier: Apache-2.0

import SignalProcessing
import Testing

@Suite("A tone whose frequency is given for each frame")
struct ModulatedToneTests {
  private static let count = 4_800
  private static let waveforms: [Waveform] = [
    .sine, .square, .triangle, .saw, .whiteNoise, .pinkNoise, .maximumLengthSequence,
    .periodicPinkNoise, .jitterTest, .impulse, .constant,
  ]

  /// A vibrato, with frequencies that are too high, negative, infinite or no numbers.
  private static let frequencies: [Double] = {
    var frequencies = (0..<count).map { frame in
      1_000 + 300 * Math.sine(2 * .pi * 40 * Double(frame) / 48_000)
    }
    frequencies.replaceSubrange(700..<706, with: [.nan, .infinity, -.infinity, 1e9, -1e9, -300])
    return frequencies
  }()

  /// The samples and the phase after them; with a slice of 1 each frame has a call of its own, with a
  /// single frequency.
  private func rendered(_ waveform: Waveform, slice: Int) -> (samples: [Float], phase: UInt64) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    var samples = [Float](repeating: .nan, count: Self.count)
    samples.withUnsafeMutableBufferPointer { samples in
      Self.frequencies.withUnsafeBufferPointer { frequencies in
        guard let output = samples.baseAddress, let first = frequencies.baseAddress else { return }
        var done = 0
        while done < Self.count {
          let run = min(slice, Self.count - done)
          let (amplitude, duty) = (0.5 + 1e-5 * Float(done), 0.3 + 1e-5 * Float(done))
          let offset = 0.1 + 1e-4 * Double(done)
          if slice == 1 {
            oscillator.render(
              into: output + done, count: 1, waveform: waveform, frequency: first[done],
              amplitude: amplitude, duty: duty, phaseOffset: offset)
          } else {
            oscillator.render(
              into: output + done, count: run, waveform: waveform, frequencies: first + done,
              amplitude: amplitude, amplitudeStep: 1e-5, duty: duty, dutyStep: 1e-5,
              phaseOffset: offset, phaseOffsetStep: 1e-4)
          }
          done += run
        }
      }
    }
    return (samples, oscillator.phase.phase)
  }

  @Test("is rendered as frame after frame, whatever the slices", arguments: waveforms)
  func frames(waveform: Waveform) {
    let expected = rendered(waveform, slice: 1)
    for slice in [7, 333, Self.count] {
      let result = rendered(waveform, slice: slice)
      #expect(result.phase == expected.phase)
      let worst = zip(result.samples, expected.samples).reduce(Float(0)) {
        $1.0.isFinite ? max($0, abs($1.0 - $1.1)) : .infinity
      }
      // Steps of level, duty and phase are added up in single precision.
      #expect(worst < 2e-5)
    }
  }

  @Test("continues the phase and the noise of the oscillator")
  func continues() {
    var one = ToneOscillator(sampleRate: 48_000)
    var samples = [Float](repeating: 0, count: 100)
    one.render(into: &samples, count: 100, waveform: .sine, frequency: 997, amplitude: 1)
    let frequencies = [Double](repeating: 997, count: 50)
    one.render(
      into: &samples, count: 50, waveform: .sine, frequencies: frequencies, amplitude: 1)
    var other = ToneOscillator(sampleRate: 48_000)
    var expected = [Float](repeating: 0, count: 150)
    other.render(into: &expected, count: 150, waveform: .sine, frequency: 997, amplitude: 1)
    #expect(one.phase.phase == other.phase.phase && one.frame == 150)
    for index in 0..<50 { #expect(abs(samples[index] - expected[100 + index]) < 1e-6) }
  }
}
