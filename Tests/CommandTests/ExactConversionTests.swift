// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

/// A conversion changes no sample for which its output has room.
@Suite("au convert keeps samples")
struct ExactConversionTests {
  /// The samples of a WAV file, as `--bits` names them.
  struct Samples: Sendable, CustomTestStringConvertible {
    let name: String
    /// The bits of the whole numbers that they hold.
    let bits: Int
    var isFloat: Bool { name.hasSuffix("f") }
    var byteCount: Int { name == "64f" ? 8 : name == "32f" ? 4 : bits / 8 }
    var testDescription: String { name }

    static let all = [
      Samples(name: "8", bits: 8), .init(name: "16", bits: 16), .init(name: "24", bits: 24),
      .init(name: "32", bits: 32), .init(name: "32f", bits: 24), .init(name: "64f", bits: 53),
    ]

    /// Whole numbers of these bits, the extremes among them, in the samples' own form.
    var data: Data {
      let used = min(bits, 32)
      let (lowest, highest) = (Int64(-1) << Int64(used - 1), Int64(1) << Int64(used - 1) - 1)
      var state = UInt64(bits)
      var numbers = [lowest, highest, 0, -1, 1, lowest + 1, highest - 1, highest / 3]
      for _ in 0..<1_992 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        numbers.append(Int64(bitPattern: state) >> Int64(64 - used))
      }
      var data = Data()
      for number in numbers {
        let part = Double(number) / Double(Int64(1) << Int64(used - 1))
        switch name {
        case "32f": withUnsafeBytes(of: Float(part)) { data.append(contentsOf: $0) }
        case "64f": withUnsafeBytes(of: part) { data.append(contentsOf: $0) }
        case "8": data.append(UInt8(truncatingIfNeeded: number + 128))
        default: withUnsafeBytes(of: number) { data.append(contentsOf: $0.prefix(byteCount)) }
        }
      }
      return data
    }
  }

  /// A file type with its codec.
  struct Packed: Sendable, CustomTestStringConvertible {
    let ending: String
    var codec: String?
    /// The most bits that it holds.
    var bits = 64
    var testDescription: String { "\(ending) \(codec ?? "")" }

    static let all = [
      Packed(ending: "wav"), .init(ending: "aiff"), .init(ending: "aifc"), .init(ending: "caf"),
      .init(ending: "w64"), .init(ending: "rf64"), .init(ending: "au"),
      .init(ending: "flac", bits: 24), .init(ending: "m4a", codec: "alac", bits: 24),
      .init(ending: "caf", codec: "alac", bits: 24), .init(ending: "caf", codec: "flac", bits: 24),
      .init(ending: "mp4", codec: "flac", bits: 24), .init(ending: "oga", codec: "flac", bits: 24),
    ]
  }

  /// Writes a stereo WAV file.
  static func write(_ data: Data, _ samples: Samples, to path: String) throws {
    func word(_ number: Int, _ bytes: Int) -> Data {
      withUnsafeBytes(of: number) { Data($0.prefix(bytes)) }
    }
    let frame = 2 * samples.byteCount
    var file = Data("RIFF".utf8)
    file.append(word(36 + data.count, 4))
    file.append(contentsOf: "WAVEfmt ".utf8)
    file.append(word(16, 4))
    for number in [samples.isFloat ? 3 : 1, 2] { file.append(word(number, 2)) }
    for number in [48_000, 48_000 * frame] { file.append(word(number, 4)) }
    for number in [frame, 8 * samples.byteCount] { file.append(word(number, 2)) }
    file.append(contentsOf: "data".utf8)
    file.append(word(data.count, 4))
    file.append(data)
    try file.write(to: URL(fileURLWithPath: path))
  }

  /// The samples of a WAV file.
  static func read(_ path: String) throws -> Data {
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var place = 12
    while place + 8 <= file.count {
      let size = (0..<4).reduce(0) { $0 | Int(file[place + 4 + $1]) << (8 * $1) }
      if file[place..<place + 4].elementsEqual("data".utf8) {
        return Data(file[place + 8..<min(file.count, place + 8 + size)])
      }
      place += 8 + size + size % 2
    }
    return Data()
  }

  private func convert(_ words: [String]) throws {
    let run = try Run("au", ["convert", "--overwrite"] + words)
    try #require(run.code == 0, "\(words): \(run.errors)")
    #expect(run.errors.isEmpty)
  }

  @Test("to every lossless file type that has room, and back", arguments: Samples.all, Packed.all)
  func kinds(samples: Samples, kind: Packed) throws {
    guard samples.bits <= kind.bits, kind.bits > 24 || !samples.isFloat else { return }
    try withFolder { folder in
      let data = samples.data
      try Self.write(data, samples, to: "\(folder)/in.wav")
      let file = "\(folder)/x.\(kind.ending)"
      try convert(["\(folder)/in.wav", "-o", file] + (kind.codec.map { ["--codec", $0] } ?? []))
      try convert([file, "-o", "\(folder)/out.wav", "--bits", samples.name, "--dither", "none"])
      #expect(try Self.read("\(folder)/out.wav") == data)
    }
  }

  @Test("to every number of bits that has room, and back", arguments: Samples.all, Samples.all)
  func bits(samples: Samples, other: Samples) throws {
    guard other.bits >= samples.bits, other.isFloat || !samples.isFloat else { return }
    try withFolder { folder in
      let data = samples.data
      try Self.write(data, samples, to: "\(folder)/in.wav")
      try convert(["\(folder)/in.wav", "-o", "\(folder)/x.caf", "--bits", other.name])
      try convert([
        "\(folder)/x.caf", "-o", "\(folder)/out.wav", "--bits", samples.name, "--dither", "none",
      ])
      #expect(try Self.read("\(folder)/out.wav") == data)
    }
  }

  @Test("also when other channels are chosen, and when silence is removed")
  func parts() throws {
    try withFolder { folder in
      let samples = Samples.all[1]
      let sound = samples.data
      let silence = Data(count: 400 * 4)
      try Self.write(silence + sound + silence, samples, to: "\(folder)/in.wav")
      try convert(["\(folder)/in.wav", "-o", "\(folder)/out.wav", "--trim"])
      let trimmed = try Self.read("\(folder)/out.wav")
      #expect(trimmed.count > sound.count - 400 && sound.range(of: trimmed) != nil)
      try convert(["\(folder)/in.wav", "-o", "\(folder)/four.wav", "--channels", "4"])
      // Mixed channels are calculated, and would get a dither.
      try convert([
        "\(folder)/four.wav", "-o", "\(folder)/two.wav", "--channels", "2", "--dither", "none",
      ])
      let whole = silence + sound + silence
      #expect(try Self.read("\(folder)/two.wav") == whole)
    }
  }

  @Test("fewer bits, another rate and another level get a dither")
  func dither() throws {
    try withFolder { folder in
      try Self.write(Samples.all[2].data, Samples.all[2], to: "\(folder)/in.wav")
      for words in [[], ["--rate", "44100"], ["--normalize", "-3"]] {
        var outputs: [Data] = []
        for dither in ["none", "triangular"] {
          let path = "\(folder)/\(dither).wav"
          let run = try Run(
            "au",
            ["convert", "\(folder)/in.wav", "-o", path, "--bits", "16", "--dither", dither]
              + words)
          try #require(run.code == 0, "\(run.errors)")
          outputs.append(try Self.read(path))
        }
        #expect(outputs[0] != outputs[1], "\(words)")
      }
    }
  }

  @Test(
    "samples that are not numbers become silence, and are reported",
    arguments: [
      "mp3", "m4a", "ogg", "opus", "flac", "aiff --bits 16", "wav",
    ])
  func badSamples(output: String) throws {
    try withFolder { folder in
      let words = output.split(separator: " ").map(String.init)
      var samples = (0..<96_000).map { Float(0.3 * sin(Double($0) * 0.05)) }
      samples[40_000] = .nan
      samples[50_001] = .infinity
      samples[50_002] = -1e30
      let format = Samples.all[4]
      try Self.write(samples.withUnsafeBytes { Data($0) }, format, to: "\(folder)/take.wav")
      let path = "\(folder)/out.\(words[0])"
      let run = try Run("au", ["convert", "\(folder)/take.wav", "-o", path] + words.dropFirst())
      #expect(run.code == 0, "\(run.errors)")
      if output == "wav" {
        // Floating point holds every sample.
        #expect(run.errors.isEmpty)
        let read = try Self.read(path)
        #expect(read == samples.withUnsafeBytes { Data($0) })
        return
      }
      #expect(
        run.errors == "\(folder)/take.wav: 1 sample is not a number; it became silence; "
          + "2 samples are beyond full scale; they were clipped\n")
      let back = try Run("au", ["convert", path, "-o", "\(folder)/back.wav", "--bits", "32f"])
      #expect(back.code == 0, "\(back.errors)")
      let found = try RecordedFile("\(folder)/back.wav")
      #expect(found.channels[0].samples.allSatisfy { abs($0) < 2 })
    }
  }

  @Test("a rendered file reports them too")
  func rendered() throws {
    try withFolder { folder in
      var samples = (0..<96_000).map { Float(0.3 * sin(Double($0) * 0.05)) }
      samples[40_000] = .nan
      let path = "\(folder)/take.wav"
      try Self.write(samples.withUnsafeBytes { Data($0) }, Samples.all[4], to: path)
      let run = try Run("au", ["render", "lowpass", path, "\(folder)/out.wav"])
      #expect(run.code == 0)
      #expect(run.errors == "\(path): 1 sample is not a number; it became silence\n")
      let found = try RecordedFile("\(folder)/out.wav")
      #expect(found.channels[0].samples.allSatisfy { abs($0) < 1 })
    }
  }

  @Test(
    "numbers that no option has are refused",
    arguments: [
      "convert in.wav -o out.wav --rate 1e300", "convert in.wav -o out.wav --rate nan",
      "convert in.wav -o out.wav --channels -1", "convert in.wav -o out.wav --bits 1000000000000",
      "convert in.wav -o out.wav --normalize inf", "convert in.wav -o out.mp3 --bitrate 1e9",
      "convert in.wav -o out.mp3 --vbr 99999999999999999999", "convert in.wav -o x.wav --jobs 0",
      "tone 1e300 -o out.wav", "tone --level nan -o out.wav", "tone --seconds inf -o out.wav",
      "tone --seconds 1e300 -o out.wav", "tone --rate 1e300 -o out.wav",
      "tone --channels 18446744073709551616 -o out.wav", "tone --fade -1 -o out.wav",
      "tone --burst 9223372036854775807/9223372036854775807 -o out.wav",
      "tone --burst -1/5 -o out.wav", "tone --sweep inf -o out.wav",
      "tone --sweep 100 --end-level -1e300 -o out.wav", "tone --crest nan -o out.wav",
      "tone --crest 1e300 --add 880 -o out.wav",
      "tone --waveform white --band 1e300/2e300 -o o.wav",
      "tone --add 1e300 -o out.wav", "tone --add 440,nan -o out.wav",
      "tone --level 1e300V --calibration 1V@0 -o out.wav",
      "render lowpass in.wav out.wav --tail inf",
      "play in.wav --rate 0", "play in.wav --gain nan", "record x.wav --seconds inf",
      "record x.wav --rate -1", "record x.wav --start-above nan", "plot lowpass --rate 1e300",
      "loopback --rounds 0", "loopback --level inf", "validate lowpass --strictness 11",
      "devices set x --cycle 99999999999999999999", "session --rate nan",
    ])
  func numbers(line: String) throws {
    try withFolder { folder in
      let words = line.split(separator: " ").map(String.init)
      let run = try Run(
        path: "/usr/bin/timeout", ["20", "/usr/bin/env", "-C", folder, Run.path("au")] + words)
      #expect(run.code == 2, "\(line): \(run.code) \(run.output) \(run.errors)")
      #expect(!run.errors.isEmpty)
    }
  }
}
