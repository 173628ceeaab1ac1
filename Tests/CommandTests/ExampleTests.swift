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

  @Test("the mixer's example plays both tones, and its preset changes the first alone")
  func mixerEqualizer() throws {
    let names = try Run("MixerEQ", []).output.split(separator: "\n")
    #expect(names.count >= 20 && names.contains("Rock"))
    func levels(_ preset: String) throws -> [Double] {
      let tone = try record("MixerEQ", [preset, "0.6"]).tone[4_800..<24_000]
      return [100, 3_000].map { tone.tone(at: $0).amplitude }
    }
    let (flat, boosted) = (try levels("Flat"), try levels("Bass Booster"))
    #expect(flat.allSatisfy { $0 > 0.05 })
    #expect(abs(decibels(boosted[0] / flat[0]) - 3.7) < 1)
    #expect(abs(decibels(boosted[1] / flat[1])) < 0.001)
  }
}
