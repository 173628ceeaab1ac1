// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Tones that begin later and sound again")
struct ToneTimingTests {
  private func samples(
    _ timing: ToneTiming, fade: Double = 0, frames: Int, slice: Int = 512,
    waveform: ToneWaveform = .sine
  ) throws -> Signal {
    var tone = Tone(frequency: 1_000, level: -6, waveform: waveform)
    tone.timing = timing
    let offline = try OfflineTone(tone, fade: fade, slice: slice)
    offline.render(frames)
    return offline.signal
  }

  @Test("without a fade, sounds and pauses are exact to the frame", arguments: [1, 100, 512])
  func exact(slice: Int) throws {
    let timing = ToneTiming(delay: 0.1, duration: 0.05, pause: 0.025, count: 3)
    let signal = try samples(timing, frames: 20_000, slice: slice, waveform: .maximumLengthSequence)
    for (frame, sample) in signal.samples.enumerated() {
      let place = frame - 4_800
      let sounds = place >= 0 && place / 3_600 < 3 && place % 3_600 < 2_400
      #expect((sample != 0) == sounds, "frame \(frame)")
    }
    #expect(timing.end == 0.1 + 0.15 + 0.05)
  }

  @Test("with a fade, each sound fades within its time")
  func fades() throws {
    let timing = ToneTiming(delay: 0.2, duration: 0.3, pause: 0.1, count: 2)
    let signal = try samples(timing, fade: ToneSource.standardFade, frames: 48_000)
    #expect(signal[0..<9_600].peak == 0)
    #expect(signal[24_000..<28_800].peak < 1e-4 && signal.dropping(43_200).peak < 1e-4)
    for middle in [16_800, 36_000] {
      #expect(abs(decibels(signal[middle - 480..<middle + 480].peak) + 6) < 0.01)
    }
    #expect(signal.largestBend(frequency: 1_000, amplitude: 0.51) < 1.1)
  }

  @Test("a sound that is shorter than its fades still sounds")
  func short() throws {
    let timing = ToneTiming(duration: 0.02, pause: 0.5)
    let signal = try samples(timing, fade: ToneSource.standardFade, frames: 96_000)
    #expect(signal[0..<2_000].peak > 0.01 && signal[25_000..<27_000].peak > 0.01)
    #expect(timing.end == nil)
  }

  @Test("it is over after its last sound, and does not wait for a delay")
  func over() throws {
    var tone = Tone(level: -6)
    tone.timing = ToneTiming(delay: 0.5, duration: 0.1)
    let offline = try OfflineTone(tone)
    offline.render(24_000)
    #expect(!offline.source.isOver)
    offline.render(9_600)
    #expect(offline.source.isOver && offline.signal.dropping(24_000).peak > 0.4)
  }

  @Test("the mix renders a tone that is silent at first from its frame on")
  func mix() throws {
    var tone = Tone(level: -6, waveform: .constant)
    tone.timing = ToneTiming(delay: 0.25, duration: 0.25)
    let mix = try ToneMix([tone], sampleRate: 48_000, channelCount: 1, fade: 0)
    var samples = [Float](repeating: 9, count: 48_000)
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      mix.render(48_000, start, start)
    }
    #expect(samples.firstIndex { $0 != 0 } == 12_000)
    #expect(samples.lastIndex { $0 != 0 } == 23_999)
  }

  @Test("values outside their ranges are clamped")
  func ranges() throws {
    let odd = ToneTiming(delay: -1, duration: .nan, pause: -.infinity, count: -5)
    #expect(odd.delay == 0 && odd.duration == 0.001 && odd.pause == 0 && odd.count == 1)
    #expect(ToneTiming(pause: 1, count: 3) == ToneTiming())
    let timing = ToneTiming(delay: 1, duration: 2, pause: 3, count: 4)
    let data = try JSONEncoder().encode(timing)
    #expect(try JSONDecoder().decode(ToneTiming.self, from: data) == timing)
    let endless = try samples(
      ToneTiming(delay: 1e300, duration: 1e300, pause: 1e300), frames: 1_000)
    #expect(endless.peak == 0)
  }
}
