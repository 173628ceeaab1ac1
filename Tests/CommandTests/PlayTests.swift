// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("au play")
struct PlayTests {
  /// Plays files to a file device, as fast as possible.
  private func play(_ words: [String], in folder: String, rate: Int = 48_000) throws -> RecordedFile
  {
    let run = try Run(
      "au", ["play"] + words,
      environment: [
        "AUDIOTOOLBOX_DEVICE": "file:\(folder)/played.wav", "AUDIOTOOLBOX_CLOCK": "fast",
        "AUDIOTOOLBOX_RATE": "\(rate)",
      ])
    try #require(run.code == 0, "\(run.errors)")
    return try RecordedFile("\(folder)/played.wav")
  }

  private func tone(_ path: String, _ words: [String]) throws {
    let run = try Run("au", ["tone"] + words + ["-o", path])
    try #require(run.code == 0, "\(run.errors)")
  }

  @Test("plays files and folders without a gap, bit-exact at the device's rate")
  func files() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/album", withIntermediateDirectories: true)
      try tone("\(folder)/album/a.wav", ["440", "--seconds", "0.3", "--channels", "2"])
      try tone("\(folder)/album/b.flac", ["700", "--seconds", "0.25", "--channels", "2"])
      try tone("\(folder)/c.wav", ["997", "--seconds", "0.2", "--channels", "2"])
      let played = try play(["\(folder)/album", "\(folder)/c.wav"], in: folder)
      let first = try RecordedFile("\(folder)/album/a.wav").channels[0].samples
      let last = try RecordedFile("\(folder)/c.wav").channels[0].samples
      let samples = played.channels[0].samples
      let start = try #require(samples.firstIndex { $0 != 0 }) - (first.firstIndex { $0 != 0 } ?? 0)
      #expect(Array(samples[start..<start + first.count]) == Array(first))
      let place = start + first.count + 12_000
      #expect(Array(samples[place..<place + last.count]) == Array(last))
      let middle = Signal(Array(samples[start + 15_000..<start + 26_000]), sampleRate: 48_000)
      #expect(abs(middle.tone(at: 700).amplitude - 0.1) < 1e-4)
    }
  }

  @Test("converts a file's rate, applies gain and effects")
  func changes() throws {
    try withFolder { folder in
      try tone(
        "\(folder)/a.wav", ["1k", "--seconds", "0.5", "--rate", "44100", "--channels", "2"])
      let played = try play(
        ["\(folder)/a.wav", "--gain", "-6.0206dB", "--effect", "lpas,cutoff=20k"], in: folder)
      let samples = played.channels[0].samples
      let start = try #require(samples.firstIndex { abs($0) > 1e-4 })
      let middle = Signal(Array(samples[start + 4_000..<start + 20_000]), sampleRate: 48_000)
      #expect(abs(middle.tone(at: 1_000).amplitude - 0.05) < 5e-4)
    }
  }

  @Test("plays a pipe completely, even if it has to wait for its end")
  func pipe() throws {
    try withFolder { folder in
      for (ending, words) in [
        ("wav", []), ("flac", []), ("wav", ["--gain", "-6.0206dB"]),
        ("wav", ["--rate", "2", "--effect", "lpas,cutoff=20k"]),
      ] {
        try tone("\(folder)/a.\(ending)", ["440", "--seconds", "0.5"])
        let run = try Run(
          path: "/bin/sh",
          [
            "-c",
            "cat \(folder)/a.\(ending) | \(Run.path("au")) play - \(words.joined(separator: " "))",
          ],
          environment: [
            "AUDIOTOOLBOX_DEVICE": "file:\(folder)/played.wav", "AUDIOTOOLBOX_CLOCK": "fast",
          ])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("standard input"))
        let played = try RecordedFile("\(folder)/played.wav").channels[0]
        let isHalf = words.contains("--rate")
        let begin = try #require(played.samples.firstIndex { abs($0) > 0.001 })
        let end = try #require(played.samples.lastIndex { abs($0) > 0.001 })
        // The stretched sound begins and ends within half a transform frame.
        let off = end - begin - (isHalf ? 12_000 : 24_000)
        #expect(abs(off) < (isHalf ? 2_500 : 100), "\(ending) \(words)")
        let middle = played[begin + 2_000..<begin + 10_000].tone(at: 440)
        #expect(abs(middle.amplitude - (words.contains("--gain") ? 0.05 : 0.1)) < 1e-3)
      }
    }
  }

  /// Plays what `feed` writes into a pipe to a file device, as fast as it arrives.
  private func playPipe(
    in folder: String, _ feed: (_ process: pid_t, FileHandle) throws -> Void
  ) throws -> RecordedFile {
    let fifo = "\(folder)/pipe"
    try #require(mkfifo(fifo, 0o600) == 0)
    // With a separate reader the pipe opens immediately, whatever happens to the program. The
    // descriptor is not inherited by the processes of other tests, which would keep the pipe open.
    let pipe = open(fifo, O_RDWR | O_CLOEXEC)
    try #require(pipe >= 0)
    let none = open("/dev/null", O_WRONLY)
    let process = try spawn(
      ["/bin/sh", "-c", "exec < \(fifo) && : > \(fifo).open && exec \(Run.path("au")) play -"],
      environment: Run.environment([
        "AUDIOTOOLBOX_DEVICE": "file:\(folder)/played.wav", "AUDIOTOOLBOX_CLOCK": "fast",
      ]), output: none, errors: none)
    close(none)
    // Closed before that, the pipe would have no writer for which the program could wait.
    for _ in 0..<6_000 where access("\(fifo).open", F_OK) != 0 { usleep(10_000) }
    let fed = Result { try feed(process, FileHandle(fileDescriptor: pipe, closeOnDealloc: false)) }
    close(pipe)
    var end: Int32 = 0
    #expect(waitpid(process, &end, 0) == process && end == 0)
    try fed.get()
    return try RecordedFile("\(folder)/played.wav")
  }

  @Test(
    "plays consecutive Ogg streams of a pipe in order, each to its last frame",
    arguments: ["ogg", "opus"])
  func chain(ending: String) throws {
    try withFolder { folder in
      var bytes = Data()
      var expected: [Double] = []
      for (frequency, seconds) in [("440", "0.51"), ("700", "0.27")] {
        let path = "\(folder)/\(frequency)"
        try tone("\(path).\(ending)", [frequency, "--seconds", seconds])
        bytes += try Data(contentsOf: URL(fileURLWithPath: "\(path).\(ending)"))
        let run = try Run(
          "au", ["convert", "\(path).\(ending)", "-o", "\(path).wav", "--bits", "32f"])
        try #require(run.code == 0, "\(run.errors)")
        expected += try RecordedFile("\(path).wav").channels[0].samples
      }
      #expect(expected.count == 48_000 * 78 / 100)
      // Pieces that end within pages, one of them within two streams.
      let played = try playPipe(in: folder) { _, writer in
        for start in stride(from: 0, to: bytes.count, by: 777) {
          try writer.write(contentsOf: bytes[start..<min(bytes.count, start + 777)])
        }
      }.channels[0].samples
      let first = try #require(expected.firstIndex { $0 != 0 })
      let begin = try #require(played.firstIndex { $0 != 0 }) - first
      try #require(begin >= 0 && begin + expected.count <= played.count)
      let end = begin + expected.count
      #expect(zip(played[begin..<end], expected).allSatisfy { abs($0 - $1) < 1e-6 })
      #expect(played[end...].allSatisfy { $0 == 0 })
    }
  }

  @Test("plays a pipe while its data arrives", arguments: ["wav", "flac"])
  func streaming(ending: String) throws {
    try withFolder { folder in
      let file = "\(folder)/a.\(ending)"
      try tone(file, ["440", "--seconds", "4"])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      let half = bytes.count / 2
      let played = try playPipe(in: folder) { process, writer in
        try writer.write(contentsOf: bytes[..<half])
        // A second has been played to the device's file while the program waits for more.
        var size = 0
        for _ in 0..<3_000 where size < 200_000 {
          usleep(10_000)
          let attributes = try? FileManager.default.attributesOfItem(
            atPath: "\(folder)/played.wav")
          size = (attributes?[.size] as? Int) ?? 0
        }
        #expect(size >= 200_000)
        var end: Int32 = 0
        #expect(waitpid(process, &end, WNOHANG) == 0)
        try writer.write(contentsOf: bytes[half...])
      }.channels[0]
      let begin = try #require(played.samples.firstIndex { abs($0) > 0.001 })
      let last = try #require(played.samples.lastIndex { abs($0) > 0.001 })
      #expect(abs(last - begin - 192_000) < 100)
      let whole = played[begin + 1_000..<begin + 190_000].tone(at: 440)
      #expect(abs(whole.amplitude - 0.1) < 1e-3 && whole.residual < 1e-3)
    }
  }

  @Test(
    "plays a part of each file, to the bit",
    arguments: [
      (["--from", "0.1", "--to", "0.25"], 4_800..<12_000), (["--from", "9600f"], 9_600..<14_400),
      (["--to", "-0.2"], 0..<4_800), (["--from", "-100ms"], 9_600..<14_400),
      (["--from", "0.25", "--to", "9"], 12_000..<14_400),
    ])
  func part(options: [String], range: Range<Int>) throws {
    try withFolder { folder in
      var expected: [Double] = []
      for (name, frequency) in [("a.wav", "440"), ("b.flac", "700")] {
        try tone(
          "\(folder)/\(name)", [frequency, "--seconds", "0.3", "--bits", "24", "--fade", "0"])
        let run = try Run(
          "au", ["convert", "\(folder)/\(name)", "-o", "\(folder)/all.wav", "-b", "32f"])
        try #require(run.code == 0, "\(run.errors)")
        expected += try RecordedFile("\(folder)/all.wav").channels[0].samples[range]
      }
      let played = try play(
        ["\(folder)/a.wav", "\(folder)/b.flac"] + options, in: folder
      ).channels[0].samples
      let first = try #require(expected.firstIndex { $0 != 0 })
      let begin = try #require(played.firstIndex { $0 != 0 }) - first
      try #require(begin >= 0 && begin + expected.count <= played.count)
      let end = begin + expected.count
      #expect(Array(played[begin..<end]) == expected)
      #expect(played[end...].allSatisfy { $0 == 0 })
    }
  }

  @Test(
    "plays a part of a pipe, while data arrives and once it is complete",
    arguments: [
      (["--from", "0.1", "--to", "0.2"], 4_800), (["--to", "0.3"], 14_400),
      (["--from", "0.2"], 14_400), (["--from", "-0.1"], 4_800), (["--from", "9"], 0),
    ])
  func partOfPipe(options: [String], frames: Int) throws {
    try withFolder { folder in
      try tone("\(folder)/a.wav", ["440", "--seconds", "0.5", "--fade", "0"])
      let run = try Run(
        path: "/bin/sh",
        ["-c", "\(Run.path("au")) play - \(options.joined(separator: " ")) < \(folder)/a.wav"],
        environment: [
          "AUDIOTOOLBOX_DEVICE": "file:\(folder)/played.wav", "AUDIOTOOLBOX_CLOCK": "fast",
        ])
      try #require(run.code == 0, "\(run.errors)")
      let played = try RecordedFile("\(folder)/played.wav").channels[0].samples
      let first = played.firstIndex { $0 != 0 } ?? 0
      let count = (played.lastIndex { $0 != 0 } ?? first - 1) + 1 - first
      // A sample at either end may be zero.
      #expect(abs(count - frames) <= 2, "\(count)")
    }
  }

  @Test("a part that is not there is an error")
  func wrongParts() throws {
    try withFolder { folder in
      try tone("\(folder)/a.wav", ["440", "--seconds", "0.5"])
      try Data("MThd".utf8).write(to: URL(fileURLWithPath: "\(folder)/a.mid"))
      for (words, part, code) in [
        (["a.wav", "--from", "3"], "a.wav: --from 3 is not before the end, at 0.5 s", 1),
        (["a.wav", "--from", "0.3", "--to", "0.2"], "--to 0.2 is not after --from 0.3", 1),
        (["a.wav", "--from", "1:75"], "--from is \"1:75\"", 2),
        (["a.mid", "--to", "2"], "is a MIDI file: it is played alone, without --from, --to", 2),
      ] {
        let run = try Run(
          "au", ["play", "\(folder)/\(words[0])"] + words.dropFirst(),
          environment: ["AUDIOTOOLBOX_DEVICE": "null"])
        #expect(run.code == Int32(code) && run.errors.contains(part), "\(words): \(run.errors)")
      }
    }
  }

  @Test("reports the file that it cannot play")
  func refusals() throws {
    try withFolder { folder in
      try Data("no sound".utf8).write(to: URL(fileURLWithPath: "\(folder)/text.wav"))
      for path in ["\(folder)/none.wav", "\(folder)/text.wav"] {
        let run = try Run("au", ["play", path], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
        #expect(run.code == 1 && run.errors.contains(path), "\(run.errors)")
      }
      let run = try Run("au", ["play", folder + "/"], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
      #expect(run.code == 1)
    }
  }

  @Test(
    "on a terminal shows its position; keys pause it, seek, and end it",
    .enabled(if: TerminalSession.isPossible, "needs tmux"))
  func terminal() throws {
    try withFolder { folder in
      for name in ["a", "b"] { try tone("\(folder)/\(name).wav", ["440", "--seconds", "300"]) }
      let session = try TerminalSession(environment: ["AUDIOTOOLBOX_DEVICE": "null"])
      try session.type("clear; \(Run.path("au")) play \(folder)")
      try session.expect(" > 0:0")
      #expect(try session.expect("/ 5:00 [").contains("1/2 a.wav"))
      try session.press("Space")
      try session.expect("|| 0:0")
      try session.press("Up")
      try session.expect("|| 1:0")
      try session.press("Right", "Right", "Space")
      try session.expect(" > 1:1")
      try session.press("n")
      try session.expect("2/2 b.wav")
      try session.press("Left")
      try session.expect("1/2 a.wav")
      try session.press("q")
      try session.expect("READY>")
      // Keys are echoed again.
      try session.type("stty -a | grep -c -w -- '-icanon\\|-echo'; echo mode seen")
      #expect(try session.expect("\nmode seen").contains("\n0\n"))
    }
  }
}
