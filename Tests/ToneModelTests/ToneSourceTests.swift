// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Testing
import ToneModel

@Suite("Tone source")
struct ToneSourceTests {
  @Test(
    "plays its frequency to a billionth of a hertz",
    arguments: [20, 440, 1_234.567890123, 19_999.999999999])
  func frequency(hertz: Double) throws {
    let tone = try OfflineTone(Tone(frequency: hertz, level: -6), fade: 0)
    tone.render(seconds: 60)
    let end = tone.signal.dropping(59 * 48_000).tone(at: hertz)
    // After 59 seconds, an error of a billionth of a hertz would shift the phase by 6e-8 of a
    // cycle.
    let expected = (hertz * 59).truncatingRemainder(dividingBy: 1)
    let drift = end.phase - expected
    #expect(abs(drift - drift.rounded()) < 6e-8)
  }

  @Test("has its exact level", arguments: [0, -6, -20, -60] as [Double])
  func level(decibels: Double) throws {
    let tone = try OfflineTone(Tone(frequency: 997, level: decibels), fade: 0)
    tone.render(seconds: 1)
    #expect(Float(tone.signal.peak) == Float(Decibels.ratio(decibels)))
  }

  @Test("is pure to -145 dB, distortion and noise together")
  func purity() throws {
    let tone = try OfflineTone(Tone(frequency: 997, level: -6), fade: 0)
    tone.render(seconds: 2)
    #expect(tone.signal.distortionAndNoise(at: 997) < -145)
  }

  @Test("does not depend on the slice size", arguments: [1, 7, 64, 1_024])
  func slices(slice: Int) throws {
    func tone(slice: Int) throws -> Signal {
      let tone = try OfflineTone(Tone(frequency: 1_000), slice: slice)
      tone.source.end(atFrame: 12_345)
      tone.render(15_000)
      return tone.signal
    }
    // Ramps are computed in Float from the start of each slice, so they differ by rounding.
    #expect(try tone(slice: slice).largestDifference(from: tone(slice: 512)) < 1e-7)
  }

  @Test("glides smoothly to a new frequency within a few milliseconds")
  func glide() throws {
    let tone = try OfflineTone(Tone(frequency: 440))
    tone.render(seconds: 0.5)
    tone.source.tone.frequency = 880
    tone.render(seconds: 0.5)
    let steady = tone.signal[2_000..<48_000]
    #expect(steady.largestBend(frequency: 880, amplitude: 0.1) < 1.001)
    #expect(tone.signal.dropping(24_000 + 480).distortionAndNoise(at: 880) < -140)
  }

  @Test("follows a slider that moves in each slice, without steps larger than a sine's")
  func sweep() throws {
    let tone = try OfflineTone(Tone(frequency: 200), slice: 256)
    tone.render(seconds: 0.1)
    for step in 1...375 {
      tone.source.tone.frequency = 200 + 1_800 * Double(step) / 375
      tone.render(256)
    }
    let steady = tone.signal.dropping(4_000)
    #expect(steady.largestBend(frequency: 2_000, amplitude: 0.1) < 1.001)
  }

  @Test("fades in and out with splatter below -80 dB", arguments: [100, 1_000, 5_000] as [Double])
  func fades(hertz: Double) throws {
    let tone = try OfflineTone(Tone(frequency: hertz, level: -6))
    tone.render(seconds: 0.3)
    tone.source.close()
    tone.render(seconds: 0.3)
    let silence = Signal(Array(repeating: 0.0, count: 8_192))
    let all = Signal(silence.samples + tone.signal.samples)
    #expect(all.splatter(around: hertz, amplitude: Decibels.ratio(-6)) < -80)
    #expect(tone.source.isOver)
  }

  @Test("changes its level with splatter below -80 dB")
  func levels() throws {
    let tone = try OfflineTone(Tone(frequency: 1_000, level: -30))
    tone.render(seconds: 0.3)
    tone.source.tone.level = -6
    tone.render(seconds: 0.3)
    tone.source.tone.level = -40
    tone.render(seconds: 0.3)
    #expect(
      tone.signal.dropping(4_096).splatter(around: 1_000, amplitude: Decibels.ratio(-6)) < -80)
    #expect(
      Float(tone.signal.dropping(39_000).peak) == Float(Decibels.ratio(-40)))
  }

  @Test("changes its waveform in silence")
  func waveform() throws {
    let tone = try OfflineTone(Tone(frequency: 1_000, level: -6))
    tone.render(seconds: 0.3)
    tone.source.tone.waveform = .square
    tone.render(seconds: 0.04)
    // The fade ends within one step; the next one begins with the other waveform.
    #expect(abs(tone.signal.samples.last ?? 1) < 1e-4)
    tone.render(seconds: 0.3)
    // Its peak is the level; its flat parts are lower, because partials are cut off.
    let square = tone.signal.dropping(Int(0.45 * 48_000))
    #expect(abs(square.rms - 0.85 * Decibels.ratio(-6)) < 0.03)
  }

  @Test("ends in time, fade included")
  func end() throws {
    let tone = try OfflineTone()
    tone.source.end(atFrame: 10_000)
    tone.render(12_000)
    let end = tone.signal.samples.lastIndex { $0 != 0 } ?? 0
    #expect((10_000 - 64..<10_000).contains(end))
  }

  @Test("without a fade, begins with the first frame and ends exactly")
  func noFade() throws {
    let tone = try OfflineTone(Tone(frequency: 1_000, level: 0), fade: 0)
    tone.source.end(atFrame: 10_001)
    tone.render(12_000)
    let ideal = Signal.sine(1_000, count: 10_001)
    #expect(tone.signal[0..<10_001].largestDifference(from: ideal) < 1e-6)
    #expect(tone.signal.dropping(10_001).peak == 0)
  }

  @Test("returns the largest sample since the last call")
  func peak() throws {
    let tone = try OfflineTone(Tone(frequency: 997, level: -6), fade: 0)
    tone.render(48_000)
    #expect(Float(tone.source.readAndResetPeak()) == Float(Decibels.ratio(-6)))
    #expect(tone.source.readAndResetPeak() == 0)
  }

  @Test("works at any rate", arguments: [8_000, 44_100, 96_000, 192_000] as [Double])
  func rates(rate: Double) throws {
    let tone = try OfflineTone(Tone(frequency: 997, level: -6), sampleRate: rate)
    tone.render(seconds: 1)
    tone.source.close()
    tone.render(seconds: 0.2)
    let steady = tone.signal[Int(rate / 10)..<Int(rate)]
    #expect(steady.distortionAndNoise(at: 997) < -140)
    #expect(tone.source.isOver)
  }
}
