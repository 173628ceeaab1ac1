// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("au and files with other channels, or that are not whole")
struct OddSoundTests {
  /// A WAV file of Float32 whose channels have constant values; `size` is what it says of its sound.
  private static func write(
    _ values: [Float], _ frames: Int = 4_000, size: UInt32? = nil, to path: String
  ) throws {
    func word(_ number: some FixedWidthInteger) -> Data {
      withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }
    let sound = (0..<frames).reduce(into: Data()) { data, _ in
      for value in values { data.append(word(value.bitPattern)) }
    }
    let bytes = UInt32(4 * values.count)
    var file = Data("RIFF".utf8) + word(size ?? UInt32(36 + sound.count)) + Data("WAVEfmt ".utf8)
    file += word(UInt32(16)) + word(UInt16(3)) + word(UInt16(values.count)) + word(UInt32(48_000))
    file += word(48_000 * bytes) + word(UInt16(bytes)) + word(UInt16(32)) + Data("data".utf8)
    file += word(size ?? UInt32(sound.count)) + sound
    try file.write(to: URL(fileURLWithPath: path))
  }

  /// What the middle of each channel has.
  private static func levels(_ path: String) throws -> [Float] {
    try RecordedFile(path).channels.map { Float($0.samples[$0.samples.count / 2]) }
  }

  private static let half: Float = 0.707_106_77

  /// The values of the channels, and of those that `au convert` makes of them.
  private static let mixes: [(from: [Float], to: [Float])] = [
    ([0, 0.5], [0.25]), ([0.5, 0.25], [0.375]),
    ([0, 0, 0.5, 0, 0, 0], [0.5 * half, 0.5 * half]), ([0, 0, 0.5, 0, 0, 0], [0.5 * half]),
    ([0.25, 0, 0, 0, 0.5, 0], [0.25 + 0.5 * half, 0]),
    ([0, 0, 0, 0.5, 0, 0], [0, 0]),
    // Without positions there is nothing to mix by.
    ([0.5, 0.25, 0, 0, 0, 0, 0, 0, 0, 0], [0.5, 0.25]),
    ([0.5], [0.5, 0.5]),
  ]

  @Test("a conversion to fewer channels loses none", arguments: mixes)
  func conversion(from: [Float], to: [Float]) throws {
    try withFolder { folder in
      try Self.write(from, to: "\(folder)/in.wav")
      let run = try Run(
        "au",
        [
          "convert", "\(folder)/in.wav", "-o", "\(folder)/out.wav", "--channels", "\(to.count)",
          "--bits", "32f",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let found = try Self.levels("\(folder)/out.wav")
      #expect(found.count == to.count)
      #expect(zip(found, to).allSatisfy { abs($0 - $1) < 1e-6 }, "\(found)")
    }
  }

  @Test("playing to a device with fewer channels loses none", arguments: [[], ["--gain", "-6"]])
  func playing(words: [String]) throws {
    try withFolder { folder in
      try Self.write([0, 0, 0.5, 0, 0, 0], 48_000, to: "\(folder)/in.wav")
      let run = try Run(
        "au", ["play", "\(folder)/in.wav"] + words,
        environment: [
          "AUDIOTOOLBOX_DEVICE": "file:\(folder)/out.wav", "AUDIOTOOLBOX_CLOCK": "fast",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let level = 0.5 * Self.half * (words.isEmpty ? 1 : Float(pow(10, -6.0 / 20)))
      let found = try Self.levels("\(folder)/out.wav")
      #expect(found.count == 2)
      #expect(found.allSatisfy { abs($0 - level) < 1e-4 }, "\(found)")
    }
  }

  @Test(
    "a rendering of fewer channels loses none",
    arguments: mixes.filter { $0.from.count <= 6 })
  func rendering(from: [Float], to: [Float]) throws {
    try withFolder { folder in
      try Self.write(from, to: "\(folder)/in.wav")
      let run = try Run(
        "au",
        [
          "render", "lmtr", "\(folder)/in.wav", "\(folder)/out.wav", "--tail", "0",
          "--channels", "\(to.count)",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let found = try Self.levels("\(folder)/out.wav")
      #expect(found.count == to.count)
      #expect(zip(found, to).allSatisfy { abs($0 - $1) < 1e-4 }, "\(found)")
    }
  }

  @Test(
    "a recording of fewer channels than the device has loses none",
    arguments: mixes.filter { $0.from.count >= $0.to.count })
  func recording(from: [Float], to: [Float]) throws {
    try withFolder { folder in
      try Self.write(from, 96_000, to: "\(folder)/in.wav")
      let run = try Run(
        "au",
        [
          "record", "\(folder)/out.wav", "--seconds", "0.5", "--channels", "\(to.count)",
          "--bits", "32f",
        ],
        environment: [
          "AUDIOTOOLBOX_DEVICE": "file:,\(folder)/in.wav", "AUDIOTOOLBOX_CLOCK": "fast",
          "AUDIOTOOLBOX_CHANNELS": "\(from.count)",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let found = try Self.levels("\(folder)/out.wav")
      #expect(found.count == to.count)
      #expect(zip(found, to).allSatisfy { abs($0 - $1) < 1e-6 }, "\(found)")
    }
  }

  @Test("low-frequency effects are mixed in where they are asked for")
  func lowFrequencies() throws {
    try withFolder { folder in
      try Self.write([0, 0, 0, 0.5, 0, 0], to: "\(folder)/in.wav")
      let run = try Run(
        "au",
        [
          "convert", "\(folder)/in.wav", "-o", "\(folder)/out.wav", "--channels", "2", "--bits",
          "32f", "--lfe", "-6.0206",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let found = try Self.levels("\(folder)/out.wav")
      #expect(found.count == 2 && found.allSatisfy { abs($0 - 0.25) < 1e-5 }, "\(found)")
    }
  }

  @Test(
    "a cut file of any kind is told by info, play, convert and render",
    arguments: ["w64", "aiff", "caf", "flac", "ogg", "mp3", "mov", "aac"])
  func cutKinds(kind: String) throws {
    try withFolder { folder in
      let whole = try SoundCorpus.whole(kind)
      let path = "\(folder)/in.\(kind == "mov" ? "m4a" : kind)"
      let commands = [
        ["convert", path, "-o", "\(folder)/out.wav"], ["play", path],
        ["render", "lowpass", path, "\(folder)/rendered.wav", "--tail", "0"],
      ]
      let environment = ["AUDIOTOOLBOX_DEVICE": "null", "AUDIOTOOLBOX_CLOCK": "fast"]
      try Data(whole).write(to: URL(fileURLWithPath: path))
      let run = try Run("au", commands[0])
      #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
      #expect(try !Run("au", ["info", path]).output.contains("cut short"))
      // The headers of Vorbis are most of so short a file.
      let kept = whole.count * (kind == "ogg" ? 9 : 6) / 10
      try Data(whole[..<kept]).write(to: URL(fileURLWithPath: path))
      // The only page with sound is cut in so short an Ogg file: nothing can be rendered.
      for words in commands where kind != "ogg" || words[0] != "render" {
        let more = words[0] == "convert" ? ["--overwrite"] : []
        let run = try Run("au", words + more, environment: environment)
        #expect(run.code == 0 && run.errors.contains("is cut short"), "\(words[0]): \(run.errors)")
      }
      let info = try Run("au", ["info", path])
      #expect(info.code == 0 && info.output.contains("cut short"), "\(info.output)")
    }
  }

  @Test("a cut file without any table is told what is wrong with it")
  func cutTable() throws {
    try withFolder { folder in
      let whole = try SoundCorpus.whole("m4a")
      try Data(whole[..<(whole.count / 2)]).write(to: URL(fileURLWithPath: "\(folder)/in.m4a"))
      let info = try Run("au", ["info", "\(folder)/in.m4a"])
      #expect(info.code == 1 && info.errors.contains("is truncated"), "\(info.errors)")
    }
  }

  @Test("a cut file is told, and what there is is converted and played")
  func cut() throws {
    try withFolder { folder in
      let path = "\(folder)/in.wav"
      try Self.write([0.5], 1_000, size: 40_000, to: path)
      let info = try Run("au", ["info", path])
      #expect(info.output.contains("9000 frames (90 %): cut short"), "\(info.output)")
      for words in [["convert", path, "-o", "\(folder)/out.wav"], ["play", path]] {
        let run = try Run(
          "au", words, environment: ["AUDIOTOOLBOX_DEVICE": "null", "AUDIOTOOLBOX_CLOCK": "fast"])
        #expect(run.code == 0)
        #expect(
          run.errors.contains("is cut short: it has 1000 of 10000 frames (4000 bytes of 40 kB)"),
          "\(run.errors)")
      }
      #expect(try RecordedFile("\(folder)/out.wav").frameCount == 1_000)
    }
  }

  @Test("a file that was not closed is told, and is sound up to its end", arguments: [0, .max])
  func unclosed(size: UInt32) throws {
    try withFolder { folder in
      let path = "\(folder)/in.wav"
      try Self.write([0.5], 1_000, size: size, to: path)
      let info = try Run("au", ["info", path])
      #expect(info.output.contains("the file was not closed"), "\(info.output)")
      let run = try Run("au", ["convert", path, "-o", "\(folder)/out.wav"])
      #expect(run.code == 0)
      #expect(run.errors.contains("was not closed"), "\(run.errors)")
      #expect(try RecordedFile("\(folder)/out.wav").frameCount == 1_000)
    }
  }
}
