// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// Tags as taggers write them. Their contents look like frames of MPEG audio.
enum TagBytes {
  /// A picture that begins like PNG and contains headers of frames.
  static let picture: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47]
    + (0..<300).flatMap { _ in [0xFF, 0xFB, 0x90, 0x64, 1, 2, 3] as [UInt8] }

  static func id3(_ title: String, footer: Bool = false) -> [UInt8] {
    let body =
      Array("TIT2".utf8) + [0, 0, 0, UInt8(title.utf8.count + 1), 0, 0, 3] + Array(title.utf8)
    let size: [UInt8] = [0, 0, UInt8(body.count >> 7), UInt8(body.count & 0x7F)]
    let head: [UInt8] = [4, 0, footer ? 0x10 : 0] + size
    return Array("ID3".utf8) + head + body + (footer ? Array("3DI".utf8) + head : [])
  }

  static func ape(_ title: String) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { WaveBytes.number(UInt32(value)) }
    let cover = Array("a.png".utf8) + [0] + picture
    let items =
      number(title.utf8.count) + number(0) + Array("Title".utf8) + [0] + Array(title.utf8)
      + number(cover.count) + number(2) + Array("Cover Art (Front)".utf8) + [0] + cover
    func end(_ flags: UInt32) -> [UInt8] {
      Array("APETAGEX".utf8) + number(2_000) + number(items.count + 32) + number(2)
        + WaveBytes.number(flags) + [UInt8](repeating: 0, count: 8)
    }
    return end(0xA000_0000) + items + end(0x8000_0000)
  }

  static func id3v1(_ title: String) -> [UInt8] {
    let bytes = Array("TAG".utf8) + Array(title.utf8)
    return bytes + [UInt8](repeating: 0, count: 128 - bytes.count)
  }

  static let lyrics: [UInt8] =
    Array("LYRICSBEGININD00002100LYR00003abc000033LYRICS200".utf8)
}

@Suite("Tags around the sound")
struct TaggedFileTests {
  private let folder: ScratchFolder
  private static let recordings = Recording.all.filter {
    [kAudioFileMP3Type, kAudioFileAAC_ADTSType, kAudioFileFLACType].contains($0.type)
  }
  private static let fronts: [[UInt8]] = [
    [], TagBytes.id3("one"), TagBytes.id3("one") + TagBytes.id3("two", footer: true),
    TagBytes.ape("one"), TagBytes.id3("one") + TagBytes.ape("two"),
  ]
  private static let backs: [[UInt8]] = [
    [], TagBytes.id3v1("last"), TagBytes.ape("last"), TagBytes.ape("last") + TagBytes.id3v1("old"),
    TagBytes.lyrics + TagBytes.id3v1("last"), TagBytes.id3("last", footer: true),
  ]

  init() throws { folder = try ScratchFolder() }

  private func plain(
    _ recording: Recording, _ frames: Int = 15_000
  ) throws -> (bytes: [UInt8], samples: [Float]) {
    let path = folder.path("plain.\(recording.ending)")
    try recording.write(path, frames)
    let file = try Containers.open(FileStore(path))
    let start = recording.type == kAudioFileFLACType ? 0 : file.dataOffset
    // The table that our MP3 files begin with belongs to the sound.
    let whole = try FileStore(path).bytes(at: 0, 1 << 24)
    let first = start > 0 ? whole.indices.first { whole[$0] == 0xFF && whole[$0 + 1] >= 0xE0 } : 0
    return (Array(whole[(first ?? 0)...]), try Recording.read(path))
  }

  @Test("are no sound, in front or behind", arguments: recordings)
  func samples(recording: Recording) throws {
    let (bytes, samples) = try plain(recording)
    let path = folder.path("tagged.\(recording.ending)")
    for front in Self.fronts {
      for back in Self.backs {
        try Data(front + bytes + back).write(to: URL(fileURLWithPath: path))
        let file = try Containers.open(FileStore(path))
        #expect(file.kind.type == recording.type)
        #expect(try Recording.read(path) == samples, "\(front.count) before, \(back.count) behind")
      }
    }
  }

  @Test("are skipped by streams, whatever the bytes are split into", arguments: recordings)
  func streams(recording: Recording) throws {
    let bytes = try plain(recording, 9_000).bytes
    let expected = try Containers.open(MemoryStore(bytes)).packetCount
    for front in Self.fronts {
      for back in Self.backs {
        for size in [99, 1 << 20] {
          let log = try StreamLog(hint: recording.type)
          try log.parse(front + bytes + back, { size })
          #expect(log.packetCount == expected, "\(front.count), \(back.count), \(size)")
        }
      }
    }
  }

  @Test("are read: those of ID3 first, then APE, then the cut ones of version 1")
  func texts() throws {
    let recording = try #require(Self.recordings.first { $0.type == kAudioFileMP3Type })
    let bytes = try plain(recording).bytes
    func file(_ front: [UInt8], _ back: [UInt8]) throws -> Container {
      try Containers.open(MemoryStore(front + bytes + back))
    }
    #expect(try file([], TagBytes.id3v1("old")).info["title"] == "old")
    #expect(try file([], TagBytes.ape("new") + TagBytes.id3v1("old")).info["title"] == "new")
    let both = try file(TagBytes.id3("first"), TagBytes.ape("new"))
    #expect(try both.info["title"] == "first")
    #expect(try both.artwork == TagBytes.picture)
  }

  @Test("may precede files of every kind")
  func otherKinds() throws {
    let wave = WaveBytes.riff(
      WaveBytes.format(tag: 1, bits: 16), WaveBytes.chunk("data", [1, 0, 2, 0, 3, 0]))
    let file = try Containers.open(MemoryStore(TagBytes.id3("one") + wave))
    #expect(file.kind.type == kAudioFileWAVEType)
    #expect(file.frameCount == 3)
  }

  @Test("of any size or damage do not harm")
  func damaged() throws {
    let recording = try #require(Self.recordings.first { $0.type == kAudioFileMP3Type })
    let bytes = try plain(recording).bytes
    let expected = try Containers.open(MemoryStore(bytes)).packetCount
    var generator = SystemRandomNumberGenerator()
    for back in Self.backs where !back.isEmpty {
      for _ in 0..<20 {
        var broken = back
        broken[Int.random(in: 0..<back.count, using: &generator)] = .random(in: 0...255)
        let file = try? Containers.open(MemoryStore(bytes + broken))
        #expect(file?.packetCount ?? 0 >= expected)
        _ = try? file?.info
        _ = try? file?.artwork
      }
    }
  }
}
