// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing
import Testing

@Suite("Phase accumulator")
struct PhaseAccumulatorTests {
  @Test(
    "is within a millionth of a cycle after an hour",
    arguments: [0.01, 440, 997, 12_345.678, 19_999.9], [44_100.0, 48_000, 192_000])
  func hour(frequency: Double, sampleRate: Double) {
    // Rates and seconds are integers, so that the cycles of an hour are exact.
    let expected = (frequency * 3_600).truncatingRemainder(dividingBy: 1)
    var oscillator = ToneOscillator(sampleRate: sampleRate)
    oscillator.skip(Int(sampleRate) * 3_600, frequency: frequency)
    let error = oscillator.phase.cycles - expected
    #expect(abs(error - error.rounded()) < 1e-6)
  }

  @Test("moves as far in one step as in many", arguments: [1, 7, 64, 1_000])
  func slices(slice: Int) {
    let (increment, step) = (UInt64(0x1234_5678_9abc_def1), UInt64(bitPattern: -987_654_321))
    var whole = PhaseAccumulator(phase: 42)
    whole.advance(by: 1_000, increment: increment, incrementStep: step)
    var parts = PhaseAccumulator(phase: 42)
    for frame in Swift.stride(from: 0, to: 1_000, by: slice) {
      parts.advance(
        by: min(slice, 1_000 - frame), increment: increment &+ UInt64(frame) &* step,
        incrementStep: step)
    }
    #expect(whole.phase == parts.phase)
  }

  @Test("converts cycles of any size and sign to fixed point")
  func fixedPoint() {
    #expect(PhaseAccumulator.fixedPoint(cycles: 0.25) == 1 << 62)
    #expect(PhaseAccumulator.fixedPoint(cycles: 1_000_000.5) == 1 << 63)
    #expect(PhaseAccumulator.fixedPoint(cycles: -0.25) == 3 << 62)
    #expect(PhaseAccumulator.fixedPoint(cycles: -1) == 0)
    #expect(PhaseAccumulator.fixedPoint(cycles: .nan) == 0)
    #expect(PhaseAccumulator.fixedPoint(cycles: -.infinity) == 0)
  }

  @Test("produces cycles below one, however close")
  func cycles() {
    #expect(PhaseAccumulator(phase: .max).cycles < 1)
    #expect(PhaseAccumulator(phase: 1 << 63).cycles == 0.5)
  }
}
