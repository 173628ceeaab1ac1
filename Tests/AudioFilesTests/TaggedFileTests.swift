// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Tags around the sound")
struct TaggedFileTests {
  private let folder: ScratchFolder
  private static let recordings = Recording.all.filter {
    [kAudioFileMP3Type, kAudioFileAAC_ADTSType, kAudioFileFLACType].contains($0.type)
  }
  private static let fronts: [[UInt8]] = [
    [], SoundTags.id3("one"), SoundTags.id3("one") + SoundTags.id3("two", footer: true),
    SoundTags.ape("one"), SoundTags.id3("one") + SoundTags.ape("two"),
  ]
  private static let backs: [[UInt8]] = [
    [], SoundTags.id3v1("last"), SoundTags.ape("last"),
    SoundTags.ape("last") + SoundTags.id3v1("old"),
    SoundTags.lyrics + SoundTags.id3v1("last"), SoundTags.id3("last", footer: true),
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
    let (bytes, samples) = try plain(recording, 6_000)
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
    #expect(try file([], SoundTags.id3v1("old")).info["title"] == "old")
    #expect(try file([], SoundTags.ape("new") + SoundTags.id3v1("old")).info["title"] == "new")
    let both = try file(SoundTags.id3("first"), SoundTags.ape("new"))
    #expect(try both.info["title"] == "first")
    #expect(try both.artwork == SoundTags.picture)
  }

  @Test("may precede files of every kind")
  func otherKinds() throws {
    let wave = WaveBytes.riff(
      WaveBytes.format(tag: 1, bits: 16), WaveBytes.chunk("data", [1, 0, 2, 0, 3, 0]))
    let file = try Containers.open(MemoryStore(SoundTags.id3("one") + wave))
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
