// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Foundation
import Testing

@Suite("au record")
struct RecordTests {
  /// Records while a file plays into the device's input, as fast as possible.
  private func record(_ words: [String], from input: String, in folder: String) throws -> Run {
    try Run(
      "au", ["record", "\(folder)/take.wav"] + words,
      environment: [
        "AUDIOTOOLBOX_DEVICE": "file:,\(input)", "AUDIOTOOLBOX_CLOCK": "fast",
      ])
  }

  @Test("records the requested seconds, bit-exact")
  func seconds() throws {
    try withFolder { folder in
      let inputFile = try Tape([noise(96_000)])
      let run = try record(
        ["--seconds", "0.5", "--channels", "1", "--bits", "32f"], from: inputFile.path, in: folder)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output == "\(folder)/take.wav: 0.50 s\n")
      let take = try RecordedFile("\(folder)/take.wav")
      let recorded = take.channels[0].samples
      let played = try RecordedFile(inputFile.path).channels[0].samples
      #expect(take.channels.count == 1 && recorded.count == 24_000)
      let begin = try #require(played.firstIndex(of: recorded[0]))
      #expect(Array(played[begin..<begin + 24_000]) == Array(recorded))
    }
  }

  @Test("loses nothing with the longest possible cycle")
  func longCycles() throws {
    try withFolder { folder in
      let inputFile = try Tape([noise(480_000)])
      let take = "\(folder)/take.wav"
      let run = try Run(
        "au", ["record", take, "--seconds", "5", "--channels", "1", "--bits", "32f"],
        environment: [
          "AUDIOTOOLBOX_DEVICE": "file:,\(inputFile.path)", "AUDIOTOOLBOX_FRAMES": "65536",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let recorded = try RecordedFile(take).channels[0].samples
      let played = try RecordedFile(inputFile.path).channels[0].samples
      let begin = try #require(played.firstIndex(of: recorded[0]))
      #expect(recorded.count == 240_000)
      let isWhole = played[begin...].starts(with: recorded)
      #expect(isWhole)
    }
  }

  @Test(
    "writes the file of --output, in the format of its type", arguments: ["aiff", "mp3", "flac"])
  func output(ending: String) throws {
    try withFolder { folder in
      let inputFile = try Tape([noise(48_000)])
      let take = "\(folder)/take.\(ending)"
      let run = try Run(
        "au", ["record", "-o", take, "--seconds", "0.25", "--channels", "1"],
        environment: [
          "AUDIOTOOLBOX_DEVICE": "file:,\(inputFile.path)", "AUDIOTOOLBOX_CLOCK": "fast",
        ])
      #expect(run.code == 0, "\(run.errors)")
      #expect(try SoundFileReader(path: take).frameCount == 12_000)
      let info = try Run("au", ["info", take]).output
      let formats = ["aiff": "Int24 big-endian", "mp3": "MPEG Layer 3", "flac": "FLAC, 24 bits"]
      #expect(info.contains(formats[ending] ?? ""), "\(info)")
    }
  }

  @Test("begins half a second before the first sound, and ends after two seconds of silence")
  func trigger() throws {
    try withFolder { folder in
      let tone = Signal.sine(440, amplitude: 0.5, phase: 0.25, count: 48_000).floats
      let silence = [Float](repeating: 0, count: 96_000)
      let inputFile = try Tape([silence + tone + silence + silence + tone])
      let run = try record(
        ["--start-above", "-40", "--stop-below", "-50", "--channels", "1", "--bits", "32f"],
        from: inputFile.path,
        in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let take = try RecordedFile("\(folder)/take.wav").channels[0].samples
      let begin = try #require(take.firstIndex { abs($0) > 0.01 })
      let end = try #require(take.lastIndex { abs($0) > 0.01 })
      // The start has the precision of a buffer of 50 ms.
      #expect((24_000...26_400).contains(begin), "\(begin)")
      #expect(abs(end - begin - 48_000) < 10)
      #expect((96_000 - 2_400...96_000 + 2_400).contains(take.count - end), "\(take.count - end)")
    }
  }

  @Test(
    "leaves a complete file when a signal ends it while it records",
    arguments: [SIGINT, SIGTERM], ["wav", "flac"])
  func ending(signal: Int32, ending: String) throws {
    try withFolder { folder in
      let take = "\(folder)/take.\(ending)"
      let inputFile = try Tape([noise(480_000)])
      let none = open("/dev/null", O_WRONLY)
      let process = try spawn(
        [Run.path("au"), "record", take],
        environment: Run.environment(["AUDIOTOOLBOX_DEVICE": "file:,\(inputFile.path)"]),
        output: none,
        errors: none)
      close(none)
      // Waits until it has written something, and not only for a fixed time.
      var size = 0
      for _ in 0..<3_000 where size < 50_000 {
        usleep(10_000)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let sizes = names.map { name -> Int in
          let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
          return (attributes?[.size] as? Int) ?? 0
        }
        size = sizes.max() ?? 0
      }
      #expect(size >= 50_000)
      kill(process, signal)
      var end: Int32 = 0
      #expect(waitpid(process, &end, 0) == process)
      // Ctrl-C is the end that the manual describes; any other signal is seen by the parent.
      #expect(signal == SIGINT ? end == 0 : end & 0x7F == signal)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names == ["take.\(ending)"])
      #expect(try SoundFileReader(path: take).frameCount > 0)
    }
  }

  @Test("reports what it cannot do")
  func refusals() throws {
    try withFolder { folder in
      let run = try Run(
        "au", ["record", "\(folder)/take.xyz", "--seconds", "1"],
        environment: ["AUDIOTOOLBOX_DEVICE": "null"])
      #expect(run.code == 2 && run.errors.contains("take.xyz"))
      for (words, part) in [
        ([], "OUT is missing: expected a path that ends in .wav"),
        (["\(folder)/a.wav", "-o", "\(folder)/b.wav"], "two output files"),
        (["-o", "\(folder)/a.mp3", "--bits", "32f"], "a.mp3: MPEG Layer 3 is lossy"),
        (["-o", "\(folder)/a.wav", "--seconds", "x"], "--seconds is \"x\""),
      ] {
        let run = try Run(
          "au", ["record"] + words, environment: ["AUDIOTOOLBOX_DEVICE": "null"])
        #expect(run.code == 2 && run.errors.contains(part), "\(run.errors)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }
}
