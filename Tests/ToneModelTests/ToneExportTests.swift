// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Export of tones")
struct ToneExportTests {
  private func file(
    _ name: String, _ export: ToneExport, _ body: (String) throws -> Void
  ) throws {
    let path = NSTemporaryDirectory() + "\(UUID().uuidString)-\(name)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try export.write(to: path)
    try body(path)
  }

  @Test(
    "has whole periods",
    arguments: [
      (440.0, 48_000.0, 48_000), (440.0, 44_100.0, 44_100), (1_000.0, 48_000.0, 48_000),
      (997.0, 48_000.0, 48_000), (440.5, 48_000.0, 48_000), (1_234.567, 48_000.0, 48_000),
    ])
  func periods(frequency: Double, rate: Double, near: Int) {
    let whole = WholePeriods(of: [frequency], sampleRate: rate, near: near)
    let periods = frequency * Double(whole.frameCount) / rate
    #expect(abs(periods - periods.rounded()) == whole.error)
    // The largest mismatch of a length near a second is a ten-thousandth of a period.
    #expect(whole.error < 1e-4)
    if near == Int(rate) && frequency == frequency.rounded() { #expect(whole.frameCount == near) }
  }

  @Test("finds a length with whole periods of several frequencies")
  func common() {
    let whole = WholePeriods(of: [440, 660, 442], sampleRate: 48_000, near: 50_000)
    #expect(whole.frameCount == 48_000)
    #expect(whole.error < 1e-9)
  }

  @Test("writes a file that can be looped, exact to the frame and to the sample")
  func loop() throws {
    let export = ToneExport([Tone(frequency: 440, level: -6)], seconds: 1.001, isLoop: true)
    #expect(export.frameCount == 48_000)
    try file("tone.wav", export) { path in
      let file = try RecordedFile(path)
      #expect(file.channels.count == 2)
      let signal = file.channels[0]
      #expect(signal.count == 48_000)
      #expect(signal.distortionAndNoise(at: 440) < -145)
      let twice = Signal(signal.samples + signal.samples)
      #expect(twice.largestBend(frequency: 440, amplitude: Decibels.ratio(-6)) < 1.001)
    }
  }

  @Test("has exactly the duration, unless it is a loop")
  func exact() {
    let tone = Tone(frequency: 997.3)
    #expect(ToneExport([tone], seconds: 2).frameCount == 96_000)
    #expect(ToneExport([tone], seconds: 2).error == nil)
    #expect(ToneExport([tone], seconds: 2, isLoop: true).frameCount != 96_000)
  }

  @Test("noise and sweeps have the exact duration, as loops too")
  func seconds() {
    var swept = Tone()
    swept.sweep = ToneSweep()
    #expect(ToneExport([swept], seconds: 1.23, isLoop: true).frameCount == 59_040)
    #expect(ToneExport([Tone(waveform: .pinkNoise)], seconds: 0.5).frameCount == 24_000)
    #expect(ToneExport([swept], seconds: 1).error == nil)
  }

  @Test("writes FLAC of the same length, with 24 bits")
  func flac() throws {
    let export = ToneExport([Tone(frequency: 1_000)], seconds: 0.5)
    try file("tone.flac", export) { path in
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)).prefix(42))
      #expect(bytes.prefix(4) == [0x66, 0x4c, 0x61, 0x43])
      // The stream information: 20 bits of rate, 3 of channels, 5 of depth, 36 of frames.
      let word = bytes[18..<26].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(word >> 44 == 48_000)
      #expect(word >> 41 & 7 == 1)
      #expect(word >> 36 & 31 == 23)
      #expect(word & 0xf_ffff_ffff == 24_000)
    }
  }

  @Test("a path that cannot be written is reported")
  func failure() {
    let export = ToneExport([Tone()], seconds: 0.1)
    #expect(throws: ToneError.self) { try export.write(to: "/nowhere/tone.wav") }
    #expect(throws: ToneError.self) { try export.write(to: "/nowhere/tone.flac") }
  }
}
