// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("Examples")
struct ExampleTests {
  private func record(_ program: String, _ words: [String]) throws -> (run: Run, tone: Signal) {
    try withFolder { folder in
      let run = try Run(
        program, words, environment: ["AUDIOTOOLBOX_DEVICE": "file:\(folder)/tone.wav"])
      #expect(run.code == 0, "\(run.errors)")
      return (run, try RecordedFile("\(folder)/tone.wav").channels[0])
    }
  }

  @Test("the ten-line program plays an A for two seconds")
  func tenLines() throws {
    let tone = try record("TenLines", []).tone
    // The exact duration depends on the machine.
    try #require(tone.count > 57_600)
    let fit = tone[9_600..<57_600].tone(near: 440)
    #expect(abs(fit.frequency - 440) < 0.01)
    #expect(abs(fit.amplitude - 0.25) < 1e-4)
  }

  @Test("the generator class plays twice, and is silent between and after")
  func generator() throws {
    let (run, tone) = try record("ToneSwift", ["300", "0.5"])
    #expect(run.output == "start\nstop\nstart\nstop\n")
    let fit = tone[2_400..<19_200].tone(near: 300)
    #expect(abs(fit.frequency - 300) < 0.01)
    #expect(abs(fit.amplitude - 0.25) < 1e-4)
  }

  @Test(
    "the equaliser's example lists its presets and its controls, with values and limits",
    arguments: ExampleLanguage.allCases)
  func equalizerList(language: ExampleLanguage) throws {
    let lines = try Run(language.program("MixerEQ"), []).output.split(separator: "\n")
    #expect(lines.contains("Rock") && lines.contains("Flat"))
    #expect(lines.contains("volume=1.00, from 0.00 to 1.00"))
  }

  @Test(
    "a preset of the equaliser changes only its branch, and a control only the other",
    arguments: ExampleLanguage.allCases)
  func equalizer(language: ExampleLanguage) throws {
    /// The levels of the equalised tone and of the other one.
    func levels(_ words: String...) throws -> [Double] {
      let line = [words[0], "0.6"] + words.dropFirst()
      let tone = try record(language.program("MixerEQ"), line).tone[4_800..<24_000]
      return [100, 3_000].map { tone.tone(at: $0).amplitude }
    }
    let flat = try levels("Flat")
    #expect(flat.allSatisfy { $0 > 0.05 })
    // The whole branch is attenuated for the headroom of the boost.
    let boosted = try levels("Bass Booster")
    #expect(abs(decibels(boosted[0] / flat[0]) + 2.3) < 1)
    #expect(abs(decibels(boosted[1] / flat[1])) < 0.001)
    let soft = try levels("Flat", "volume=0.5")
    #expect(abs(soft[0] / flat[0] - 1) < 1e-5)
    #expect(abs(soft[1] / flat[1] - 0.5) < 1e-3)
  }

  @Test(
    "graphs play with any number of frames per cycle",
    arguments: [1, 64, 511, 1_156, 4_096, 16_384])
  func cycles(frames: Int) throws {
    try withFolder { folder in
      for (program, line) in [("MixerEQ", ["Flat", "3"]), ("MixerHost", []), ("mixer_host", [])] {
        let file = "\(folder)/\(program).wav"
        // Enough time for a quarter of a second of sound, even with slow cycles of one frame.
        let command =
          "printf 'wait 3\nquit\n' | \(Run.path(program)) \(line.joined(separator: " "))"
        let run = try Run(
          path: "/bin/sh", ["-c", command],
          environment: [
            "AUDIOTOOLBOX_DEVICE": "file:\(file)", "AUDIOTOOLBOX_FRAMES": "\(frames)",
          ])
        #expect(run.code == 0, "\(run.errors)")
        let sound = try RecordedFile(file).channels[0]
        try #require(sound.count > 12_000, "\(program)")
        // From the first frames, without a gap of a hundred frames.
        let longest = sound[480..<12_000].samples.reduce((0, 0)) { run, sample in
          let length = sample == 0 ? run.0 + 1 : 0
          return (length, max(run.1, length))
        }
        #expect(longest.1 < 100 && sound.rms > 0.01, "\(program): \(longest.1) zeros")
      }
    }
  }
}
