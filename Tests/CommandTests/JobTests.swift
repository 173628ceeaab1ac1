// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Foundation
import Testing

/// Runs shell lines in a folder with sound files; `$AU` is the program.
struct Jobs {
  let folder: String

  /// Two seconds of stereo at 48 kHz and 24 bits: a tone left, another right, with silence at both ends.
  static func run(_ body: (Jobs) throws -> Void) throws {
    try withFolder { folder in
      let jobs = Jobs(folder: folder)
      var samples: [Int32] = []
      for frame in 0..<96_000 {
        let isSilent = frame < 4_800 || frame >= 86_400
        let time = Double(frame) / 48_000
        samples.append(isSilent ? 0 : Int32(2_000_000 * sin(2 * .pi * 440 * time) + 100_000))
        samples.append(isSilent ? 0 : Int32(1_000_000 * sin(2 * .pi * 1_000 * time)))
      }
      try jobs.write("in.wav", samples)
      try body(jobs)
    }
  }

  /// Writes a file with 24 bits.
  func write(_ name: String, channels: Int = 2, rate: UInt32 = 48_000, _ samples: [Int32]) throws {
    func number<T: FixedWidthInteger>(_ value: T) -> Data {
      withUnsafeBytes(of: value.littleEndian) { Data($0) }
    }
    var data = Data()
    for sample in samples { data += number(sample).prefix(3) }
    let frame = 3 * channels
    var file = Data("RIFF".utf8) + number(UInt32(36 + data.count)) + Data("WAVEfmt ".utf8)
    file += number(UInt32(16)) + number(UInt16(1)) + number(UInt16(channels)) + number(rate)
    file += number(rate * UInt32(frame)) + number(UInt16(frame)) + number(UInt16(24))
    file += Data("data".utf8) + number(UInt32(data.count)) + data
    try file.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  func shell(_ line: String) throws -> Run {
    try Run(
      path: "/bin/bash", ["-o", "pipefail", "-c", "cd '\(folder)' && \(line)"],
      environment: ["AU": Run.path("au")])
  }

  /// Runs a line that must succeed without a word on standard error.
  @discardableResult
  func must(_ line: String, says errors: String = "") throws -> String {
    let run = try shell(line)
    try #require(run.code == 0, "\(line): \(run.errors)")
    #expect(errors.isEmpty ? run.errors.isEmpty : run.errors.contains(errors), "\(run.errors)")
    return run.output
  }

  /// A sound file of any kind.
  struct Sound {
    /// One signal for each channel.
    var channels: [Signal] = []
    var frameCount: Int { channels.first?.count ?? 0 }
  }

  func file(_ name: String) throws -> Sound {
    var reader = try SoundFileReader(path: "\(folder)/\(name)")
    let (count, channelCount) = (reader.frameCount, reader.format.channelCount)
    let memory = (0..<channelCount).map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
    }
    defer { for channel in memory { channel.deallocate() } }
    let read = try reader.read(into: memory, frameCount: count)
    return Sound(
      channels: memory.map { channel in
        Signal(
          Array(UnsafeBufferPointer(start: channel, count: read)),
          sampleRate: reader.format.sampleRate)
      })
  }

  func samples(_ name: String, _ channel: Int = 0) throws -> [Float] {
    try file(name).channels[channel].samples.map(Float.init)
  }

  /// The largest difference between two files that have the same number of frames and channels.
  func difference(_ one: String, _ other: String) throws -> Double {
    let (first, second) = (try file(one), try file(other))
    try #require(first.frameCount == second.frameCount)
    try #require(first.channels.count == second.channels.count)
    var largest = 0.0
    for (a, b) in zip(first.channels, second.channels) {
      for (x, y) in zip(a.samples, b.samples) { largest = max(largest, Double(abs(x - y))) }
    }
    return largest
  }
}

@Suite("Edits of au convert")
struct EditTests {
  /// One step of 24 bits.
  private static let step = 1 / 8_388_608.0

  @Test("cuts from one place to another, exactly, in every notation")
  func cut() throws {
    try Jobs.run { jobs in
      let whole = try jobs.samples("in.wav")
      for options in [
        "--from 0.5 --to 1.5", "--from 500ms --to 0:01.5", "--from 24000f --to 72000f",
        "--from -1.5 --to -0.5",
      ] {
        try jobs.must("$AU convert in.wav -o cut.wav \(options)")
        #expect(try jobs.samples("cut.wav") == Array(whole[24_000..<72_000]), "\(options)")
      }
      try jobs.must("$AU convert - -o - --from 0.5 --to 1.5 < in.wav > piped.wav")
      #expect(try jobs.samples("piped.wav") == Array(whole[24_000..<72_000]))
    }
  }

  @Test("a place that is not there is an error")
  func wrongCuts() throws {
    try Jobs.run { jobs in
      for (options, part, code) in [
        ("--from 3", "--from 3 is not before the end, at 2 s", 1),
        ("--from 1 --to 0.5", "--to 0.5 is not after --from 1", 1),
        ("--from 1:75", "--from is \"1:75\"", 2), ("--to nan", "--to is \"nan\"", 2),
        ("--pick 3", "there is no channel 3: the sound has 2 channels", 1),
        ("--pick 0", "--pick is \"0\"", 2), ("--speed 0", "--speed is \"0\"", 2),
        ("--loudness -16 --normalize -1", "exclude each other", 2),
        ("--fade-curve sine", "--fade-curve has no effect", 2),
        ("--silence-level -40", "--silence-level has no effect", 2),
        ("--raw-out s16le --bits 24", "--bits has no effect with --raw-out", 2),
        ("--raw-in s16le", "--raw-in is \"s16le\"", 2),
      ] {
        let run = try jobs.shell("$AU convert in.wav -o out.wav \(options)")
        #expect(run.code == Int32(code) && run.errors.contains(part), "\(options): \(run.errors)")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(jobs.folder)/out.wav"))
    }
  }

  @Test("swaps, picks and repeats channels, and reverses, exactly")
  func places() throws {
    try Jobs.run { jobs in
      let (left, right) = (try jobs.samples("in.wav"), try jobs.samples("in.wav", 1))
      try jobs.must("$AU convert in.wav -o swapped.wav --pick 2,1")
      #expect(try jobs.samples("swapped.wav") == right && jobs.samples("swapped.wav", 1) == left)
      try jobs.must("$AU convert in.wav -o three.flac --pick 2,2,1")
      try jobs.must("$AU convert three.flac -o three.wav")
      #expect(try jobs.file("three.wav").channels.count == 3)
      #expect(try jobs.samples("three.wav", 1) == right && jobs.samples("three.wav", 2) == left)
      try jobs.must("$AU convert in.wav -o back.wav --reverse")
      #expect(try jobs.samples("back.wav") == left.reversed())
      try jobs.must("$AU convert - -o - --reverse < back.wav > again.wav")
      #expect(try jobs.samples("again.wav", 1) == right)
    }
  }

  @Test("changes the level, and fades")
  func level() throws {
    try Jobs.run { jobs in
      let whole = try jobs.samples("in.wav")
      try jobs.must("$AU convert in.wav -o soft.wav --gain -6dB --bits 32f")
      let soft = try jobs.samples("soft.wav")
      let gain = Float(pow(10, -6.0 / 20))
      #expect(zip(soft, whole).allSatisfy { abs($0 - gain * $1) < 1e-6 })
      try jobs.must("$AU convert in.wav -o faded.wav --fade-in 0.5 --fade-out 500ms --bits 32f")
      let faded = try jobs.samples("faded.wav")
      #expect(abs(faded[12_000] - whole[12_000] / 2) < 1e-4)
      #expect(abs(faded[83_999] - whole[83_999] / 2) < 1e-4)
      #expect(faded[24_000..<72_000] == whole[24_000..<72_000])
      try jobs.must("$AU convert in.wav -o sine.wav --fade-in 0.5 --fade-curve sine --bits 32f")
      #expect(try abs(jobs.samples("sine.wav")[12_000] - whole[12_000] * 0.7071) < 1e-4)
    }
  }

  @Test("normalises to a loudness, and not above a ceiling")
  func loudness() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o loud.wav --loudness -23LUFS --bits 32f")
      #expect(try jobs.must("$AU info --measure loud.wav").contains("-23.0 LUFS"))
      try jobs.must(
        "$AU convert in.wav -o held.wav --loudness -3 --peak -1dBTP --bits 32f",
        says: "in.wav: ")
      let report = try jobs.must("$AU info --measure held.wav")
      #expect(report.contains("-1.0 dBTP"), "\(report)")
      try jobs.must("$AU convert in.wav -o same.wav --peak -1")
      #expect(try jobs.difference("in.wav", "same.wav") == 0)
    }
  }

  @Test("removes silence at the ends, and shortens it everywhere")
  func silence() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o trimmed.wav --trim")
      // The tone begins at a frame that is not silent, because of the direct current.
      #expect(try jobs.file("trimmed.wav").frameCount == 81_600)
      try jobs.must("$AU join in.wav in.wav -o two.wav")
      try jobs.must("$AU convert two.wav -o short.wav --remove-silence 10ms")
      #expect(try jobs.file("short.wav").frameCount == 2 * 81_600 + 3 * 480)
      try jobs.must("$AU convert - -o - --remove-silence 10ms < two.wav > piped.wav")
      #expect(try jobs.difference("short.wav", "piped.wav") == 0)
    }
  }

  @Test("changes speed, tempo and pitch; the length follows")
  func time() throws {
    try Jobs.run { jobs in
      func level(_ name: String, _ frequency: Double, _ range: Range<Int>) throws -> Double {
        20 * log10(try jobs.file(name).channels[0][range].tone(at: frequency).amplitude)
      }
      let before = 20 * log10(2_000_000 / 8_388_608.0)
      try jobs.must("$AU convert in.wav -o fast.wav --speed 2 --bits 32f")
      #expect(try jobs.file("fast.wav").frameCount == 48_000)
      #expect(try abs(level("fast.wav", 880, 9_600..<38_400) - before) < 0.05)
      try jobs.must("$AU convert in.wav -o fastest.wav --speed 100 --bits 32f")
      #expect(try jobs.file("fastest.wav").frameCount == 960)
      try jobs.must("$AU convert in.wav -o slow.wav --tempo 0.5 --bits 32f")
      #expect(try jobs.file("slow.wav").frameCount == 192_000)
      #expect(try abs(level("slow.wav", 440, 48_000..<144_000) - before) < 0.5)
      try jobs.must("$AU convert in.wav -o high.wav --pitch 12 --bits 32f")
      #expect(try jobs.file("high.wav").frameCount == 96_000)
      #expect(try abs(level("high.wav", 880, 24_000..<72_000) - before) < 0.5)
      // The silence at the beginning is as much longer as the rest.
      let first = try jobs.samples("slow.wav").firstIndex { abs($0) > 0.02 } ?? 0
      #expect(abs(first - 9_600) < 1_000, "\(first)")
    }
  }

  @Test("reads and writes samples without a header, from a file and through pipes")
  func raw() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o in.raw --raw-out s24le")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(jobs.folder)/in.raw"))
      let file = try Data(contentsOf: URL(fileURLWithPath: "\(jobs.folder)/in.wav"))
      #expect(bytes == file.dropFirst(44))
      try jobs.must("$AU convert in.raw -o out.wav --raw-in s24le,48000,2")
      #expect(try jobs.difference("in.wav", "out.wav") == 0)
      try jobs.must(
        "$AU convert - -o - --raw-out f64be < in.wav | $AU convert - -o - --raw-in f64be,48k,2 "
          + "--bits 24 --dither none > piped.wav")
      #expect(try jobs.difference("in.wav", "piped.wav") == 0)
      // Bytes after the last whole frame are left out.
      try jobs.must("head -c 1003 in.raw | $AU convert - -o part.wav --raw-in s24le,48000,2")
      #expect(try jobs.file("part.wav").frameCount == 167)
      try jobs.must(
        "$AU convert in.raw -o mono.wav --raw-in s24le,48000,2 --channels 1 --rate 24000")
      #expect(try jobs.file("mono.wav").frameCount == 48_000)
      #expect(try jobs.file("mono.wav").channels.count == 1)
    }
  }

  @Test("samples without a header go to pipes and through links, and leave nothing unfinished")
  func rawPlaces() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o in.raw --raw-out s24le")
      try jobs.must("echo old > real.raw && chmod 640 real.raw && ln -s real.raw link.raw")
      try jobs.must("$AU convert in.wav -o link.raw --raw-out s24le && cmp in.raw real.raw")
      #expect(
        try jobs.must("stat -c %a-%F real.raw link.raw") == "640-regular file\n777-symbolic link\n")
      try jobs.must(
        "mkfifo pipe && { timeout 20 cat pipe > got.raw & } && timeout 20 $AU convert in.wav -o pipe "
          + "--raw-out s24le && wait && test -p pipe && cmp in.raw got.raw")
      let full = try jobs.shell(
        "trap '' XFSZ; ulimit -f 4; $AU convert in.wav -o real.raw --raw-out s24le")
      #expect(
        full.code == 1 && full.errors.contains("real.raw: cannot be written: File too large"),
        "\(full.errors)")
      try jobs.must("cmp in.raw real.raw")
      #expect(
        try jobs.must("LC_ALL=C ls") == "got.raw\nin.raw\nin.wav\nlink.raw\npipe\nreal.raw\n")
    }
  }

  @Test("an input is not an output, and outputs in the folder of the inputs are no inputs")
  func outputsInside() throws {
    try Jobs.run { jobs in
      try jobs.must("mkdir takes both && cp in.wav $'takes/a\\tb.wav' && cp in.wav both/in.wav")
      let run = try jobs.shell("$AU convert in.wav both/in.wav -o both/")
      #expect(run.code == 1 && run.errors.contains("it is an input too"), "\(run.errors)")
      for state in ["written", "kept"] {
        let lines = try jobs.must("$AU convert takes -o takes/out/ --json").split(separator: "\n")
        #expect(lines.count == 1 && lines[0].contains("\"\(state)\""), "\(lines)")
      }
      #expect(try jobs.must("ls takes/out | wc -l").contains("1"))
    }
  }

  @Test("a pipe passes sound while it arrives")
  func streaming() throws {
    try Jobs.run { jobs in
      // The reader ends after the header and some frames, although the writer never ends.
      let run = try jobs.shell(
        "(cat in.wav; sleep 20) | timeout 10 $AU convert - -o - --gain -6 | head -c 100000 | wc -c")
      #expect(run.output.contains("100000"), "\(run.output) \(run.errors)")
    }
  }

  @Test("on many files, in parallel, as on each alone")
  func many() throws {
    try Jobs.run { jobs in
      try jobs.must("mkdir takes && for n in 1 2 3 4; do cp in.wav takes/$n.wav; done")
      try jobs.must("$AU convert in.wav -o one.wav --from 0.5 --speed 1.5 --gain -3")
      try jobs.must("$AU convert takes -o out/ --from 0.5 --speed 1.5 --gain -3 --jobs 3")
      for n in 1...4 { #expect(try jobs.difference("one.wav", "out/\(n).wav") == 0) }
    }
  }
}
