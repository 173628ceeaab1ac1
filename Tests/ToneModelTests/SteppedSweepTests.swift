// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Sweeps in steps")
struct SteppedSweepTests {
  private func tone(_ sweep: ToneSweep, level: Double = -6) -> Tone {
    var tone = Tone(frequency: 1_000, level: level)
    tone.sweep = sweep
    return tone
  }

  private func samples(_ tone: Tone, seconds: Double, slice: Int = 512) throws -> Signal {
    let offline = try OfflineTone(tone, fade: 0, slice: slice)
    offline.render(seconds: seconds)
    return offline.signal
  }

  @Test("each frequency sounds for its time, at equal ratios", arguments: ToneSweep.Shape.allCases)
  func steps(shape: ToneSweep.Shape) throws {
    let sweep = ToneSweep(from: 100, to: 1_600, seconds: 2.5, shape: shape, atEnd: .hold, steps: 5)
    #expect(sweep.dwell == 0.5)
    let signal = try samples(tone(sweep), seconds: 3)
    let expected: [Double] =
      shape == .logarithmic ? [100, 200, 400, 800, 1_600] : [100, 475, 850, 1_225, 1_600]
    for (step, frequency) in expected.enumerated() {
      // From 10 ms after the beginning of the step, when its frequency is reached, to its end.
      let start = step * 24_000
      let part = signal[start + 480..<start + 23_990]
      #expect(part.distortionAndNoise(at: frequency) < -120)
      #expect(abs(sweep.frequency(at: 0.5 * Double(step) + 0.25) - frequency) < 1e-9)
    }
    #expect(signal.dropping(120_000).distortionAndNoise(at: 1_600) < -120)
  }

  @Test("many steps do not drift, begin again and go back")
  func ends() throws {
    let again = ToneSweep(from: 1_000, to: 2_000, seconds: 1, atEnd: .again, steps: 7)
    let signal = try samples(tone(again), seconds: 3)
    // The last step of the third round.
    let end = signal[Int(2.87 * 48_000)..<Int(2.99 * 48_000)]
    #expect(abs(end.tone(near: 2_000).frequency - 2_000) < 1e-3)
    let back = ToneSweep(from: 1_000, to: 2_000, seconds: 1, shape: .linear, atEnd: .back, steps: 3)
    let turned = try samples(tone(back), seconds: 2)
    #expect(abs(turned[65_000..<78_000].tone(near: 1_500).frequency - 1_500) < 0.1)
  }

  @Test("the level moves in equal steps, without a click")
  func levels() throws {
    let sweep = ToneSweep(
      from: 1_000, to: 1_000, seconds: 1.5, atEnd: .hold, endLevel: -46, steps: 3)
    let signal = try samples(tone(sweep), seconds: 1.5)
    for (step, level) in [-6.0, -26, -46].enumerated() {
      let start = step * 24_000
      #expect(abs(decibels(signal[start + 2_000..<start + 23_000].peak) - level) < 0.01)
    }
    #expect(signal.dropping(480).largestBend(frequency: 1_100, amplitude: 0.51) < 1.05)
  }

  @Test("steps are on the lines to which the tone is locked")
  func lines() throws {
    var tone = tone(ToneSweep(from: 100, to: 1_000, seconds: 1, atEnd: .hold, steps: 2))
    tone.lineFrames = 1_024
    let signal = try samples(tone, seconds: 1)
    let expected = 48_000.0 * 21 / 1_024
    #expect(abs(signal[30_000..<47_000].tone(near: expected).frequency - expected) < 1e-3)
  }

  @Test("does not depend on the slice size", arguments: [1, 17, 1_024])
  func slices(slice: Int) throws {
    let tone = tone(ToneSweep(from: 500, to: 5_000, seconds: 0.1, steps: 9))
    let (cut, whole) = (
      try samples(tone, seconds: 0.3, slice: slice), try samples(tone, seconds: 0.3)
    )
    #expect(cut.largestDifference(from: whole) < 1e-4)
  }

  @Test("more steps than there is time for are played as they fit")
  func most() throws {
    let signal = try samples(
      tone(ToneSweep(from: 100, to: 10_000, seconds: 0.1, atEnd: .hold, steps: 10_000)), seconds: 4)
    #expect(abs(signal.dropping(170_000).tone(near: 10_000).frequency - 10_000) < 1e-3)
  }
}
