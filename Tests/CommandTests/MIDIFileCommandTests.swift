// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("au with MIDI files")
struct MIDIFileCommandTests {
  /// A file with two notes of half a second, half a second apart, at 120 beats a minute.
  private func writeFile(_ folder: String) throws -> String {
    let track: [UInt8] = [
      0, 0xff, 3, 4, 76, 101, 97, 100, 0, 0x90, 69, 127, 96, 0x80, 69, 0, 96, 0x90, 69, 127, 96,
      0x80,
      69, 0, 0, 0xff, 0x2f, 0,
    ]
    let bytes: [UInt8] =
      Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 1, 0, 96] + Array("MTrk".utf8)
      + [0, 0, 0, UInt8(track.count)] + track
    let path = "\(folder)/a.mid"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("info prints length, tempo and tracks")
  func info() throws {
    try withFolder { folder in
      let run = try Run("au", ["info", try writeFile(folder)])
      #expect(run.code == 0, "\(run.errors)")
      for line in [
        "Length   1.5 s", "Tempo    120 beats per minute",
        "Track 1  Lead: 2 notes, 0 other events, channel 1, 3 beats",
      ] { #expect(run.output.contains(line), "\(run.output)") }
    }
  }

  @Test("render plays the notes at their frames, with the tail that is asked for")
  func render() throws {
    try withFolder { folder in
      let run = try Run(
        "au", ["render", try writeFile(folder), "\(folder)/a.wav", "--tail", "1"])
      try #require(run.code == 0, "\(run.errors)")
      let file = try RecordedFile("\(folder)/a.wav")
      let samples = file.channels[0].samples
      #expect(samples.count == 120_000)
      let first = try #require(samples.firstIndex { abs($0) > 1e-3 })
      #expect(first < 2_000)
      // The second note is louder than what is left of the first.
      let before = samples[44_000..<47_900].map(abs).max() ?? 0
      let after = samples[48_000..<60_000].map(abs).max() ?? 0
      #expect(after > 1.5 * before)
    }
  }

  @Test("play plays the notes through the instruments, half a second apart")
  func play() throws {
    try withFolder { folder in
      let run = try Run(
        "au", ["play", try writeFile(folder)],
        environment: [
          "AUDIOTOOLBOX_DEVICE": "file:\(folder)/played.wav", "AUDIOTOOLBOX_CLOCK": "fast",
          "AUDIOTOOLBOX_RATE": "48000",
        ])
      try #require(run.code == 0, "\(run.errors)")
      let samples = try RecordedFile("\(folder)/played.wav").channels[0].samples
      let first = try #require(samples.firstIndex { abs($0) > 1e-3 })
      // The file lasts for 1.5 seconds, and its last notes fade for two.
      try #require(samples.count > first + 120_000)
      let before = samples[first + 40_000..<first + 47_000].map(abs).max() ?? 0
      let after = samples[first + 48_500..<first + 60_000].map(abs).max() ?? 0
      #expect(after > 1.5 * before)
      let tail = samples[(first + 120_000)...].map(abs).max() ?? 0
      #expect(tail < after / 10)
    }
  }

  @Test("render plays a note after 5,000 controllers at the same time")
  func burst() throws {
    try withFolder { folder in
      let path = "\(folder)/a.mid"
      let controllers = (0..<5_000).flatMap { [0, 0xb0, 20, UInt8($0 & 127)] as [UInt8] }
      let track = controllers + [0, 0x90, 69, 127, 96, 0x80, 69, 0, 0, 0xff, 0x2f, 0]
      let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: track.count >> $0) }
      let bytes: [UInt8] =
        Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + length + track
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let run = try Run("au", ["render", path, "\(folder)/a.wav", "--tail", "1"])
      try #require(run.code == 0, "\(run.errors)")
      let samples = try RecordedFile("\(folder)/a.wav").channels[0].samples
      #expect((samples.map(abs).max() ?? 0) > 0.01)
    }
  }

  @Test("render refuses a file that claims to last for years")
  func endless() throws {
    try withFolder { folder in
      let path = "\(folder)/a.mid"
      // One tick is a beat, and the end comes after 268,435,455 of them.
      let track: [UInt8] = [0, 0x90, 60, 1, 0xff, 0xff, 0xff, 0x7f, 0xff, 0x2f, 0]
      let bytes: [UInt8] =
        Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 1] + Array("MTrk".utf8)
        + [0, 0, 0, UInt8(track.count)] + track
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let run = try Run("au", ["render", path, "\(folder)/a.wav"])
      #expect(run.code != 0)
      #expect(run.errors.contains("hours long; at most 24 are rendered"), "\(run.errors)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/a.wav"))
    }
  }

  @Test("render refuses units for a MIDI file, and no units for another")
  func units() throws {
    try withFolder { folder in
      let path = try writeFile(folder)
      let withUnit = try Run("au", ["render", "lowpass", path, "\(folder)/a.wav"])
      #expect(withUnit.code == 2)
      #expect(withUnit.errors.contains("it is rendered without units"))
      let withoutUnit = try Run("au", ["render", "\(folder)/b.wav", "\(folder)/c.wav"])
      #expect(withoutUnit.code == 2)
      #expect(withoutUnit.errors.contains("UNIT is missing"))
    }
  }
}
