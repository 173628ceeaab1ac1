// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("Swift examples")
struct ExampleTests {
  private func record(_ program: String, _ words: [String]) throws -> (run: Run, tone: Signal) {
    try withFolder { folder in
      let run = try Run(
        program, words, environment: ["AUDIOTOOLBOX_DEVICE": "file:\(folder)/tone.wav"])
      #expect(run.code == 0, "\(run.errors)")
      return (run, try RecordedFile("\(folder)/tone.wav").channels[0])
    }
  }

  @Test("the ten lines sound an A for two seconds")
  func tenLines() throws {
    let tone = try record("TenLines", []).tone
    // How long two seconds are is the machine's affair.
    try #require(tone.count > 57_600)
    let fit = tone[9_600..<57_600].tone(near: 440)
    #expect(abs(fit.frequency - 440) < 0.01)
    #expect(abs(fit.amplitude - 0.25) < 1e-4)
  }

  @Test("the generator class sounds twice, and is silent between and after")
  func generator() throws {
    let (run, tone) = try record("ToneSwift", ["300", "0.5"])
    #expect(run.output == "start\nstop\nstart\nstop\n")
    let fit = tone[2_400..<19_200].tone(near: 300)
    #expect(abs(fit.frequency - 300) < 0.01)
    #expect(abs(fit.amplitude - 0.25) < 1e-4)
  }

  @Test("the equalisers' example lists its presets and its parameters, with values and limits")
  func equalizerList() throws {
    let lines = try Run("MixerEQ", []).output.split(separator: "\n")
    #expect(lines.count == 26 && lines.contains("Rock"))
    #expect(lines.contains("gain=0.0 dB, from -20.0 dB to 20.0 dB"))
  }

  @Test("a preset of the equalisers' example changes the first tone, a parameter the second")
  func equalizers() throws {
    /// The levels of the two tones.
    func levels(_ words: String...) throws -> [Double] {
      let tone = try record("MixerEQ", [words[0], "0.6"] + words.dropFirst()).tone[4_800..<24_000]
      return [100, 3_000].map { tone.tone(at: $0).amplitude }
    }
    let flat = try levels("Flat")
    #expect(flat.allSatisfy { $0 > 0.05 })
    // The headroom that the boost needs is taken from the whole.
    let boosted = try levels("Bass Booster")
    #expect(abs(decibels(boosted[0] / flat[0]) + 2.3) < 1)
    #expect(abs(decibels(boosted[1] / flat[1])) < 0.001)
    // A bell of Q 1 at 2 kHz, at 100 Hz and at 3 kHz.
    let bell = CookbookFilter.bell(2_000, q: 1, decibels: -12, rate: 48_000)
    let cut = try levels("Flat", "gain=-12")
    #expect(abs(cut[0] / flat[0] - 1) < 1e-5)
    #expect(abs(decibels(cut[1] / flat[1]) - decibels(bell.magnitude(at: 3_000))) < 0.05)
  }
}
