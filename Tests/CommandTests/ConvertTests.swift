// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("au convert, and au info of files")
struct ConvertTests {
  /// Runs `body` in a folder with a second of a tone: in.wav, 48 kHz, mono, -23 dBFS.
  private func withTone(_ body: (String) throws -> Void) throws {
    try withFolder { folder in
      let made = try Run(
        "au", ["tone", "997", "--level", "-23", "--seconds", "1", "-o", "\(folder)/in.wav"])
      try #require(made.code == 0, "\(made.errors)")
      try body(folder)
    }
  }

  /// Runs a shell command in a folder; `$AU` is the program.
  private func shell(_ line: String, in folder: String) throws -> Run {
    try Run(
      path: "/bin/bash", ["-c", "cd '\(folder)' && \(line)"],
      environment: ["AU": Run.path("au")])
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test("converts to every file type and back to the same samples")
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

  /// A file type with its codec, and whether the samples come back within 24 bits.
  struct Packed: Sendable, CustomTestStringConvertible {
    let ending: String
    let codec: String?
    let isExact: Bool

    init(_ ending: String, _ codec: String? = nil, isExact: Bool = false) {
      (self.ending, self.codec, self.isExact) = (ending, codec, isExact)
    }

    var testDescription: String { "\(ending) \(codec ?? "")" }

    static let all: [Packed] = [
      .init("m4a"), .init("m4b"), .init("mp4"), .init("m4a", "alac", isExact: true),
      .init("mp4", "alac", isExact: true), .init("mp4", "flac", isExact: true),
      .init("mp4", "opus"), .init("mp4", "mp3"), .init("flac", isExact: true), .init("ogg"),
      .init("oga", "flac", isExact: true), .init("ogg", "opus"), .init("opus"), .init("mp3"),
      .init("caf", "aac"), .init("caf", "alac", isExact: true), .init("caf", "flac", isExact: true),
      .init("caf", "opus"), .init("caf", "vorbis"), .init("caf", "ima4"), .init("caf", "ulaw"),
      .init("caf", "alaw"), .init("wav", "ulaw"), .init("w64", "alaw"), .init("aifc", "ima4"),
      .init("au", "ulaw"),
    ]
  }

  @Test("compresses to every file type, and back to the same sound", arguments: Packed.all)
  func packed(kind: Packed) throws {
    try withTone { folder in
      let original = try RecordedFile("\(folder)/in.wav")
      let file = "\(folder)/x.\(kind.ending)"
      let there = try Run(
        "au",
        ["convert", "\(folder)/in.wav", "-o", file] + (kind.codec.map { ["--codec", $0] } ?? []))
      #expect(there.code == 0, "\(there.errors)")
      let back = try Run(
        "au", ["convert", file, "-o", "\(folder)/back.wav", "--bits", "32f"])
      #expect(back.code == 0, "\(back.errors)")
      let found = try RecordedFile("\(folder)/back.wav")
      try #require(found.frameCount == original.frameCount)
      let pairs = zip(found.channels[0].samples, original.channels[0].samples)
      if kind.isExact {
        #expect(pairs.allSatisfy { abs($0 - $1) < 2.5 / 8_388_608 })
      } else {
        // LAME turns sound down by 0.45 dB.
        let tone = found.channels[0][4_000..<40_000].tone(at: 997)
        #expect(abs(20 * log10(tone.amplitude) + 23) < 0.5)
      }
    }
  }

  @Test("uses the requested bit rate")
  func bitRates() throws {
    try withTone { folder in
      func size(_ options: [String]) throws -> Int {
        let path = "\(folder)/y.mp3"
        try? FileManager.default.removeItem(atPath: path)
        let run = try Run("au", ["convert", "\(folder)/in.wav", "-o", path] + options)
        #expect(run.code == 0, "\(run.errors)")
        return try bytes(path).count
      }
      // A second, preceded by a table of packets.
      for rate in [64, 128] {
        let size = try size(["--bitrate", "\(rate)"])
        #expect(abs(size - rate * 125) < rate * 20, "\(size)")
      }
      let (small, large) = (try size(["--vbr", "10"]), try size(["--vbr", "100"]))
      #expect(small < large)
    }
  }

  @Test("uses the next higher rate of a codec, unless a rate is requested")
  func codecRates() throws {
    try withTone { folder in
      let first = try Run(
        "au", ["convert", "\(folder)/in.wav", "-o", "\(folder)/a.wav", "--rate", "44100"])
      #expect(first.code == 0)
      let run = try Run("au", ["convert", "\(folder)/a.wav", "-o", "\(folder)/a.opus"])
      #expect(run.code == 0, "\(run.errors)")
      let info = try Run("au", ["info", "\(folder)/a.opus"])
      #expect(info.output.contains("48000 frames"), "\(info.output)")
    }
  }

  @Test("writes only the sound to a pipe")
  func pipe() throws {
    try withTone { folder in
      let run = try shell("$AU convert in.wav -o - --bits 16 > out.wav", in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let sound = try bytes("\(folder)/out.wav")
      #expect(sound.starts(with: Data("RIFF".utf8)))
      // A second of 16 bits after a short header.
      #expect((96_036...96_200).contains(sound.count), "\(sound.count)")
    }
  }

  @Test(
    "reports a full disk with the name of the file, and leaves nothing",
    arguments: [
      "wav", "caf", "flac", "m4a", "ogg", "mp3",
    ])
  func fullDisk(ending: String) throws {
    try withTone { folder in
      // Files of more than four kilobytes cannot be written.
      let run = try shell(
        "trap '' XFSZ; ulimit -f 4; exec $AU convert in.wav -o out.\(ending)", in: folder)
      #expect(run.code == 1)
      #expect(run.errors.contains("out.\(ending)") && run.errors.contains("File too large"))
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left == ["in.wav"], "\(run.errors)")
    }
  }

  @Test(
    "for .aiff and .aif writes AIFF with integers, and AIFC if AIFF cannot hold the format",
    arguments: [
      (["--bits", "16"], "AIFF", "Int16 big-endian"),
      (["--bits", "24"], "AIFF", "Int24 big-endian"),
      (["--bits", "8"], "AIFF", "Int8"), (["--bits", "32f"], "AIFC", "Float32 big-endian"),
      (["--bits", "64f"], "AIFC", "Float64 big-endian"), (["--codec", "ulaw"], "AIFC", "Law"),
    ])
  func interchange(words: [String], kind: String, format: String) throws {
    try withTone { folder in
      for name in ["out.aiff", "out.aif"] {
        let path = "\(folder)/\(name)"
        let run = try Run("au", ["convert", "\(folder)/in.wav", "-o", path] + words)
        #expect(run.code == 0, "\(run.errors)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes[8..<12].elementsEqual(kind.utf8))
        let info = try Run("au", ["info", path]).output
        #expect(info.contains(kind) && info.contains(format), "\(info)")
      }
    }
  }

  @Test("refuses folders, pipes, and settings that a file type does not support")
  func refusals() throws {
    try withTone { folder in
      #expect(mkfifo("\(folder)/pipe.wav", 0o600) == 0)
      for (words, part) in [
        (["in.wav", "-o", "a.mp3", "--bits", "16"], "a.mp3: MPEG Layer 3 is lossy"),
        (["in.wav", "-o", "a.flac", "--bits", "32f"], "a.flac: FLAC of 32 bits in floating point"),
        (["in.wav", "-o", "a.opus", "--rate", "44100"], "a.opus: --rate"),
        (["in.wav", "-o", "a.mp3", "--channels", "6"], "a.mp3: 6 channels"),
        (["in.wav", "-o", "a.wav", "--codec", "aac"], "a.wav: a WAV file cannot hold"),
        (["in.wav", "-o", "a.mp3", "--vbr", "50", "--bitrate", "64"], "exclude each other"),
        (["in.wav", "-o", "a.mp3", "--bitrate", "2000"], "a.mp3: 2000000 bits per second"),
        (["pipe.wav", "-o", "a.wav"], "pipe.wav: is not a regular file"),
        (["in.wav", "-o", "in.wav/a.wav"], "in.wav/a.wav"),
      ] {
        let run = try shell("$AU convert " + words.joined(separator: " "), in: folder)
        #expect(run.code == 1, "\(words)")
        #expect(run.errors.contains(part), "\(run.errors)")
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(left == ["in.wav", "pipe.wav"])
    }
  }

  @Test(
    "writes the same bytes with any number of jobs, and skips converted files",
    arguments: ["aiff", "m4a", "flac", "opus", "ogg", "mp3", "caf"])
  func jobs(ending: String) throws {
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
            "convert", "\(folder)/takes", "-o", "\(folder)/\(out)/", "--format", ending, "--jobs",
            jobs,
          ])
        #expect(run.code == 0, "\(run.errors)")
      }
      for name in ["a", "b", "c"] {
        let (one, three) = try (
          bytes("\(folder)/one/\(name).\(ending)"), bytes("\(folder)/three/\(name).\(ending)")
        )
        #expect(one == three && one.count > 1_000)
      }
      let again = try Run(
        "au", ["convert", "\(folder)/takes", "-o", "\(folder)/one/", "--format", ending, "--json"])
      #expect(again.code == 0)
      #expect(again.output.components(separatedBy: "\"kept\"").count == 4, "\(again.output)")
      let overwritten = try Run(
        "au",
        [
          "convert", "\(folder)/takes", "-o", "\(folder)/one/", "--format", ending, "--json",
          "--overwrite",
        ])
      #expect(
        overwritten.output.components(separatedBy: "\"written\"").count == 4,
        "\(overwritten.output)")
    }
  }

  @Test("reports errors, and leaves no file")
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

  @Test("reports loudness and peak of a file, and draws it")
  func info() throws {
    try withTone { folder in
      let run = try Run(
        "au", ["info", "\(folder)/in.wav", "--svg", "\(folder)/wave.svg"])
      #expect(run.code == 0, "\(run.errors)")
      // A tone of 997 Hz at -23 dBFS is -23 LUFS by definition in two channels, and 3 LU less in
      // one.
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
