// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Sweeps whose level moves")
struct SweepLevelTests {
  private func tone(_ atEnd: ToneSweep.End, seconds: Double = 2) -> Tone {
    var tone = Tone(frequency: 1_000, level: -6)
    tone.sweep = ToneSweep(
      from: 1_000, to: 1_100, seconds: seconds, shape: .linear, atEnd: atEnd, endLevel: -46)
    return tone
  }

  private func samples(_ tone: Tone, seconds: Double, slice: Int = 512) throws -> Signal {
    let offline = try OfflineTone(tone, fade: 0, slice: slice)
    offline.render(seconds: seconds)
    return offline.signal
  }

  /// The level of about ten periods around a time.
  private func level(_ signal: Signal, at seconds: Double) -> Double {
    let start = Int((seconds - 0.005) * 48_000)
    return decibels(signal[start..<start + 480].peak)
  }

  @Test("it moves by equal decibels in equal times, and holds at the end")
  func hold() throws {
    let signal = try samples(tone(.hold), seconds: 3)
    for (time, expected) in [(0.5, -16.0), (1, -26), (1.5, -36), (2.5, -46)] {
      // The peak of 10 ms that fall by 0.2 dB is that of their beginning; the glide delays it by 3
      // ms.
      #expect(abs(level(signal, at: time) - expected) < 0.3)
    }
    #expect(signal.samples.first == 0)
  }

  @Test("it goes back with the frequency, and restarts without a click")
  func ends() throws {
    let back = try samples(tone(.back), seconds: 3.5)
    #expect(abs(level(back, at: 3) - -26) < 0.3)
    let again = try samples(tone(.again), seconds: 3.5)
    #expect(abs(level(again, at: 3) - -26) < 0.3)
    // From one frame to the next it moves no more than the loudest sine with its fade of 6 ms.
    let most = Decibels.ratio(-6) * (2 * .pi * 1_100 / 48_000 + 0.02)
    #expect(zip(again.samples, again.samples.dropFirst()).allSatisfy { abs($0 - $1) < most })
  }

  @Test("it does not depend on the slice size", arguments: [1, 17, 1_024])
  func slices(slice: Int) throws {
    let tone = tone(.again, seconds: 0.1)
    let (cut, whole) = (
      try samples(tone, seconds: 0.3, slice: slice), try samples(tone, seconds: 0.3)
    )
    // Ramps of the phase are rounded at slice boundaries; a level step at a wrong frame would
    // differ a hundred times as much.
    #expect(cut.largestDifference(from: whole) < 1e-4)
  }

  @Test("the end of a sweep is no louder than what was confirmed")
  func limits() throws {
    let model = ToneModel()
    model.sweep = ToneSweep(endLevel: 0)
    #expect(model.sweep?.endLevel == ToneModel.loudLevel)
    model.sweep = ToneSweep(endLevel: -200)
    #expect(model.sweep?.endLevel == ToneModel.levels.lowerBound)
    // The same holds for a preset.
    var loud = Tone(level: -20)
    loud.sweep = ToneSweep(endLevel: 0)
    try model.replaceTones([loud])
    #expect(model.tones[0].sweep?.endLevel == -6 && model.tones[0].level == -26)
  }
}
