// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Bursts of tones")
struct BurstTests {
  /// A tone of 1 kHz at 48 kHz, whose periods are 48 frames.
  private func samples(_ burst: ToneBurst?, slice: Int = 512) throws -> [Double] {
    var tone = Tone(frequency: 1_000, level: -6)
    tone.burst = burst
    let offline = try OfflineTone(tone, fade: 0, slice: slice)
    offline.render(4_800)
    return offline.signal.samples
  }

  @Test("are whole periods of the tone, and silence between them")
  func periods() throws {
    let (whole, burst) = (try samples(nil), try samples(ToneBurst(on: 5, off: 15)))
    #expect(burst[..<240] == whole[..<240])
    #expect(burst[241..<960].allSatisfy { $0 == 0 })
    #expect(burst[961..<1_200] == whole[961..<1_200])
    #expect(burst[1_201..<1_920].allSatisfy { $0 == 0 })
  }

  @Test("do not depend on the slice size", arguments: [1, 17, 480])
  func slices(slice: Int) throws {
    let burst = ToneBurst(on: 3, off: 2)
    #expect(try samples(burst, slice: slice) == samples(burst))
  }

  @Test("switch at zero crossings of the wave, even between frames")
  func zeros() throws {
    var tone = Tone(frequency: 997, level: -6)
    tone.burst = ToneBurst(on: 4, off: 4)
    let offline = try OfflineTone(tone, fade: 0)
    offline.render(48_000)
    let samples = offline.signal.samples
    // From one frame to the next, a sine moves by no more than this.
    let most = Decibels.ratio(-6) * 2 * .pi * 997 / 48_000
    #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($0 - $1) <= most })
    #expect(samples.count { $0 == 0 } > 20_000)
  }

  @Test("noise has no periods and stays on")
  func noise() throws {
    var tone = Tone(waveform: .whiteNoise)
    tone.burst = ToneBurst(on: 1, off: 100)
    let offline = try OfflineTone(tone, fade: 0)
    offline.render(4_800)
    #expect(offline.signal.samples.count { $0 == 0 } < 10)
  }

  @Test("a file of bursts holds whole bursts")
  func export() {
    var tone = Tone(frequency: 1_000)
    tone.burst = ToneBurst(on: 10, off: 20)
    let export = ToneExport([tone], seconds: 1, isLoop: true)
    #expect(export.frameCount % 1_440 == 0)
    #expect(abs(export.frameCount - 48_000) <= 1_440)
  }

  @Test("are stored in a preset; values out of range in a file are clamped")
  func coding() throws {
    var tone = Tone()
    tone.burst = ToneBurst(on: 10, off: 90)
    let data = try JSONEncoder().encode(tone)
    #expect(try JSONDecoder().decode(Tone.self, from: data) == tone)
    let wild = try JSONDecoder().decode(ToneBurst.self, from: Data(#"{"on": -3, "off": 1e9}"#.utf8))
    #expect(wild == ToneBurst(on: 1, off: 100_000))
  }
}
