// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("au convert, and au info of files")
struct ConvertTests {
  /// Runs `body` in a folder that holds a second of a tone: in.wav, 48 kHz, mono, -23 dBFS.
  private func withTone(_ body: (String) throws -> Void) throws {
    try withFolder { folder in
      let made = try Run(
        "au", ["tone", "997", "--level", "-23", "--seconds", "1", "-o", "\(folder)/in.wav"])
      try #require(made.code == 0, "\(made.errors)")
      try body(folder)
    }
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test("goes through every kind of file and back to the same samples")
  func kinds() throws {
    try withTone { folder in
      let original = try RecordedFile("\(folder)/in.wav")
      for ending in ["aiff", "aifc", "caf", "w64", "rf64", "au"] {
        let there = try Run(
          "au", ["convert", "\(folder)/in.wav", "-o", "\(folder)/x.\(ending)", "--bits", "24"])
        #expect(there.code == 0, "\(ending): \(there.errors)")
        let back = try Run(
          "au",
          ["convert", "\(folder)/x.\(ending)", "-o", "\(folder)/\(ending).wav", "--bits", "32f"])
        #expect(back.code == 0, "\(ending): \(back.errors)")
        let file = try RecordedFile("\(folder)/\(ending).wav")
        try #require(file.frameCount == original.frameCount, "\(ending)")
        let pairs = zip(file.channels[0].samples, original.channels[0].samples)
        // Two steps of 24 bits: rounding, and the dither.
        #expect(pairs.allSatisfy { abs($0 - $1) < 2.5 / 8_388_608 }, "\(ending)")
      }
    }
  }

  @Test("changes the rate, and keeps the tone")
  func rate() throws {
    try withTone { folder in
      let run = try Run(
        "au",
        [
          "convert", "\(folder)/in.wav", "-o", "\(folder)/out.wav", "--rate", "44100", "--bits",
          "32f",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let file = try RecordedFile("\(folder)/out.wav")
      #expect(file.frameCount == 44_100)
      let tone = file.channels[0][4_000..<40_000].tone(at: 997)
      #expect(abs(20 * log10(tone.amplitude) + 23) < 0.01)
    }
  }

  @Test("writes the same bytes whatever the number of jobs, and leaves what is done")
  func jobs() throws {
    try withTone { folder in
      let files = FileManager.default
      try files.createDirectory(atPath: "\(folder)/takes", withIntermediateDirectories: false)
      for name in ["a", "b", "c"] {
        try files.copyItem(atPath: "\(folder)/in.wav", toPath: "\(folder)/takes/\(name).wav")
      }
      for (jobs, out) in [("1", "one"), ("3", "three")] {
        let run = try Run(
          "au",
          [
            "convert", "\(folder)/takes", "-o", "\(folder)/\(out)/", "--format", "aiff", "--bits",
            "16", "--jobs", jobs,
          ])
        #expect(run.code == 0, "\(run.errors)")
      }
      let first = try bytes("\(folder)/one/a.aiff")
      for name in ["a", "b", "c"] {
        let (one, three) = try (
          bytes("\(folder)/one/\(name).aiff"), bytes("\(folder)/three/\(name).aiff")
        )
        #expect(one == three && one == first)
      }
      let again = try Run(
        "au", ["convert", "\(folder)/takes", "-o", "\(folder)/one/", "--format", "aiff", "--json"])
      #expect(again.code == 0)
      #expect(again.output.components(separatedBy: "\"kept\"").count == 4, "\(again.output)")
    }
  }

  @Test("says what is wrong, and leaves no file")
  func mistakes() throws {
    try withTone { folder in
      for (words, part) in [
        (["\(folder)/none.wav", "-o", "\(folder)/out.wav"], "none.wav"),
        (["\(folder)/in.wav", "-o", "\(folder)/out.xyz"], ".xyz cannot be written"),
      ] {
        let run = try Run("au", ["convert"] + words)
        #expect(run.code == 1)
        #expect(run.errors.contains(part), "\(run.errors)")
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left == ["in.wav"])
    }
  }

  @Test("tells loudness and peak of a file, and draws it")
  func info() throws {
    try withTone { folder in
      let run = try Run(
        "au", ["info", "\(folder)/in.wav", "--svg", "\(folder)/wave.svg"])
      #expect(run.code == 0, "\(run.errors)")
      // A tone of 997 Hz at -23 dBFS in two channels is -23 LUFS by definition, in one 3 LU less.
      #expect(
        run.output.contains("-26.0 LUFS") || run.output.contains("−26.0 LUFS"), "\(run.output)")
      #expect(run.output.contains("48000 frames"))
      #expect(
        try String(contentsOfFile: "\(folder)/wave.svg", encoding: .utf8).contains("<polygon"))
      let broken = try Run("au", ["info", "\(folder)/wave.svg"])
      #expect(broken.code == 1 && broken.errors.contains("wave.svg"))
    }
  }
}
