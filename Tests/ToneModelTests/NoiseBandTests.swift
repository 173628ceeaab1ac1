// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Band-limited noise")
struct NoiseBandTests {
  private func noise(_ waveform: ToneWaveform, _ lowest: Double?, _ highest: Double) -> Tone {
    var tone = Tone(level: -6, waveform: waveform)
    tone.band = lowest.flatMap { NoiseBand(from: $0, to: highest) }
    return tone
  }

  private func samples(_ tone: Tone, seconds: Double = 8, slice: Int = 512) throws -> Signal {
    let offline = try OfflineTone(tone, fade: 0, slice: slice)
    offline.render(seconds: seconds)
    return offline.signal
  }

  @Test("is flat between its limits, and falls by 48 dB per octave beyond them")
  func white() throws {
    let signal = try samples(noise(.whiteNoise, 1_000, 4_000))
    let levels = signal.powerDensities(between: [490, 510, 990, 1_010, 1_250, 3_200, 3_960, 4_040])
    let inside = levels[4]
    #expect(abs(levels[0] - inside + 48.2) < 1.5)
    #expect(abs(levels[2] - inside + 3) < 0.8)
    #expect(abs(levels[6] - inside + 3) < 0.8)
    let octave = signal.powerDensities(between: [7_900, 8_100])[0]
    // The bilinear transform makes the upper slope steeper.
    #expect(octave - inside < -46)
  }

  @Test("pink noise falls by 3 dB per octave between the limits, too")
  func pink() throws {
    let signal = try samples(noise(.pinkNoise, 200, 8_000))
    #expect(abs(signal.slope(from: 400, to: 3_200) + 3.01) < 0.25)
    let levels = signal.powerDensities(between: [95, 105, 400, 500])
    // An octave below the limit it is 48 dB down, minus the 7 dB that pink noise rises.
    #expect(abs(levels[0] - levels[2] + 41.7) < 2)
  }

  @Test(
    "has an RMS 14 dB below the level, with any limits",
    arguments: [
      (ToneWaveform.whiteNoise, 20.0, 20_000.0), (.whiteNoise, 890, 1_120),
      (.pinkNoise, 20, 20_000), (.pinkNoise, 500, 2_000),
    ])
  func level(waveform: ToneWaveform, lowest: Double, highest: Double) throws {
    let signal = try samples(noise(waveform, lowest, highest))
    #expect(abs(decibels(signal.rms / Decibels.ratio(-6)) + 13.98) < 0.4)
    #expect(signal.peak < Decibels.ratio(-6) * 1.2)
  }

  @Test("does not depend on the slice size", arguments: [1, 17, 1_024])
  func slices(slice: Int) throws {
    let tone = noise(.pinkNoise, 100, 1_000)
    #expect(
      try samples(tone, seconds: 0.1, slice: slice).samples == samples(tone, seconds: 0.1).samples)
  }

  @Test("removing the limits restores the noise; sines have no limits")
  func withoutLimits() throws {
    let plain = try samples(noise(.whiteNoise, nil, 0), seconds: 1)
    let offline = try OfflineTone(noise(.whiteNoise, 1_000, 2_000), fade: 0)
    offline.render(24_000)
    offline.source.tone = noise(.whiteNoise, nil, 0)
    offline.render(24_000)
    #expect(offline.signal.samples[36_000...] == plain.samples[36_000...])
    let sine = try samples(noise(.sine, 1_000, 2_000), seconds: 0.1)
    #expect(try sine.samples == samples(noise(.sine, nil, 0), seconds: 0.1).samples)
  }

  @Test("limits that are set during playback are reached quickly")
  func changes() throws {
    let offline = try OfflineTone(noise(.whiteNoise, nil, 0), fade: 0)
    offline.render(24_000)
    offline.source.tone = noise(.whiteNoise, 1_000, 2_000)
    offline.render(8 * 48_000)
    let signal = Signal(Array(offline.signal.samples[30_000...]))
    let levels = signal.powerDensities(between: [200, 300, 1_200, 1_800])
    #expect(levels[0] - levels[2] < -60)
  }

  @Test("are stored in a preset, in rising order")
  func coding() throws {
    let tone = noise(.pinkNoise, 100, 200)
    let data = try JSONEncoder().encode(tone)
    #expect(try JSONDecoder().decode(Tone.self, from: data) == tone)
    #expect(NoiseBand(from: 200, to: 100) == nil && NoiseBand(from: 0, to: 100) == nil)
    let wrong = Data(#"{"lowest": 200, "highest": 100}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(NoiseBand.self, from: wrong) }
  }
}
