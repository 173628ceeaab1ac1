// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("What is around the sound of a file")
struct SurroundedFileTests {
  private let folder: ScratchFolder
  private static let picture: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47] + (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
  private static let endings = [
    "wav", "aiff", "w64", "caf", "flac", "ogg", "opus", "m4a", "mp3", "aac",
  ]

  init() throws { folder = try ScratchFolder() }

  /// A short sound in a kind of file: its path, bytes, and samples.
  private func sound(
    _ ending: String, _ metadata: SoundFileMetadata = .init(), rate: Double = 48_000,
    channels: Int = 1
  ) throws -> (path: String, bytes: [UInt8], samples: [Float]) {
    let path = folder.path("a.\(ending)")
    let encoding = try SoundFileEncoding(path: path)
    let file = try SoundFileWriter(
      path, sampleRate: rate, channelCount: channels, encoding, metadata: metadata)
    let wave = (0..<10_000).map { 0.3 * sinf(Float($0) * 0.05) }
    let planes = Planes([[Float]](repeating: wave, count: channels))
    try file.write(planes.channels, frameCount: planes.frameCount)
    try file.finish()
    return (path, try FileStore(path).bytes(at: 0, 1 << 26), try Recording.read(path))
  }

  private func save(_ bytes: [UInt8], _ ending: String) throws -> String {
    let path = folder.path("b.\(ending)")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  // MARK: Texts and pictures

  @Test("may be a picture that is larger than the sound", arguments: endings)
  func largePicture(ending: String) throws {
    let plain = try sound(ending)
    var metadata = SoundFileMetadata()
    metadata.artwork = Self.picture
    metadata.info = ["title": "A tone"]
    let (path, bytes, samples) = try sound(ending, metadata)
    #expect(samples == plain.samples)
    let file = try Containers.open(FileStore(path))
    guard ending != "caf", ending != "w64", try file.artwork != nil || ending != "aac" else {
      return
    }
    #expect(try file.artwork == Self.picture)
    #expect(try file.info["title"] == "A tone")
    // The picture is there once.
    #expect(bytes.count < plain.bytes.count + Self.picture.count * 3 / 2)
    #expect(SoundFileCondition(of: file).warning == nil)
  }

  @Test("is a front of another length, in memory as in files", arguments: ["mp3", "flac", "aac"])
  func replacedFront(ending: String) throws {
    let (_, bytes, _) = try sound(ending)
    let store = MemoryStore(bytes)
    let file = try Containers.open(store)
    let packets = try #require(file.packets)
    let first = try store.bytes(at: packets.offset(0), packets.size(0))
    for picture in [Self.picture, Array(Self.picture.prefix(500))] {
      try file.setArtwork(picture)
      let again = try Containers.open(MemoryStore(store.bytes))
      #expect(again.packetCount == packets.count)
      #expect(try again.artwork == picture)
      let table = try #require(again.packets)
      #expect(try again.store.bytes(at: table.offset(0), table.size(0)) == first)
      let last = packets.count - 1
      // Nothing follows the last packet.
      #expect(table.offset(last) + table.size(last) == store.bytes.count)
    }
  }

  @Test("are tags whose texts are read, in front and behind", arguments: endings)
  func tags(ending: String) throws {
    let (_, bytes, samples) = try sound(ending)
    for (front, back, title) in [
      (SoundTags.id3("one"), [], "one"), (SoundTags.ape("two"), [], "two"),
      ([], SoundTags.id3v1("old"), "old"), ([], SoundTags.ape("three"), "three"),
      (SoundTags.id3("one"), SoundTags.ape("three") + SoundTags.id3v1("old"), "one"),
    ] as [([UInt8], [UInt8], String)] {
      let path = try save(front + bytes + back, ending)
      let file = try Containers.open(FileStore(path))
      #expect(try file.info["title"] == title)
      #expect(try file.artwork == (front + back).firstPicture)
      #expect(try Recording.read(path) == samples)
      #expect(SoundFileCondition(of: file).warning == nil)
      #expect(SoundFileMetadata(of: file).info["title"] == title)
    }
  }

  @Test("yields to what the file itself says", arguments: ["wav", "aiff", "flac", "ogg", "m4a"])
  func priority(ending: String) throws {
    var metadata = SoundFileMetadata()
    metadata.info = ["title": "own"]
    let bytes = try sound(ending, metadata).bytes
    let file = try Containers.open(
      MemoryStore(SoundTags.id3("one") + bytes + SoundTags.ape("two")))
    #expect(try file.info["title"] == "own")
    #expect(try file.artwork == SoundTags.picture)
  }

  @Test("is kept when FLAC gets other texts or another picture")
  func editedFLAC() throws {
    let bytes = try sound("flac").bytes
    let front = SoundTags.id3("one") + SoundTags.ape("two")
    let store = MemoryStore(front + bytes)
    try Containers.open(store).setArtwork([0x89, 0x50, 1, 2, 3])
    #expect(try Containers.open(store).info["title"] == "one")
    #expect(try Containers.open(store).artwork == [0x89, 0x50, 1, 2, 3])
    let other = MemoryStore(front + bytes)
    try Containers.open(other).setInfo(["artist": "somebody"])
    #expect(try Containers.open(other).info == ["artist": "somebody"])
    #expect(try Containers.open(other).artwork == SoundTags.picture)
  }

  @Test("is no tag where samples look like one")
  func samplesLikeTags() throws {
    let file = try Containers.open(
      MemoryStore(
        WaveBytes.riff(
          WaveBytes.format(tag: 1, bits: 16),
          WaveBytes.chunk("data", [1, 2] + SoundTags.id3v1("no title")))))
    #expect(try file.info["title"] == nil)
    #expect(file.frameCount == 65)
  }

  // MARK: Another file behind

  @Test("may be another sound file, which is told", arguments: endings.filter { $0 != "m4a" })
  func follower(ending: String) throws {
    let (_, bytes, samples) = try sound(ending)
    let other = try sound(ending, rate: 44_100, channels: 2).bytes
    for between in [[], SoundTags.id3v1("end"), SoundTags.id3("next")] {
      // Opus has only one rate.
      guard ending != "opus" || between.isEmpty else { continue }
      let path = try save(bytes + between + other, ending)
      let condition = SoundFileCondition(of: try Containers.open(FileStore(path)))
      let follower = try #require(condition.follower, "\(between.count)")
      #expect(follower.contains("2 channels"))
      #expect(condition.warning?.contains(follower) ?? false)
      #expect(try Recording.read(path) == samples)
    }
    #expect(SoundFileCondition(of: try Containers.open(MemoryStore(bytes))).follower == nil)
  }

  @Test("may be a file of any other kind", arguments: ["flac", "ogg", "wav", "mp3"])
  func otherKind(ending: String) throws {
    let bytes = try sound(ending).bytes
    for other in ["flac", "ogg", "wav", "caf", "m4a"] where other != ending {
      let file = try Containers.open(MemoryStore(bytes + sound(other).bytes))
      #expect(file.follower != nil, "\(other)")
    }
    let file = try Containers.open(MemoryStore(bytes + [UInt8](repeating: 0, count: 5_000)))
    #expect(file.follower == nil)
  }

  // MARK: Files that were not closed

  /// A header with sizes, and 500 frames.
  private func unclosed(_ kind: String, _ size: UInt64) -> [UInt8] {
    func big(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
    let samples = (0..<500).flatMap { WaveBytes.number(Int16($0 * 60 - 15_000)) }
    let (text, narrow) = (WaveBytes.text, UInt32(truncatingIfNeeded: size))
    let format = WaveBytes.format(tag: 1, bits: 16)
    switch kind {
    case "wav":
      return text("RIFF") + WaveBytes.number(narrow) + text("WAVE") + format + text("data")
        + WaveBytes.number(narrow) + samples
    case "aiff":
      let rate: [UInt8] = [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0]
      let common = big(UInt16(1)) + big(narrow / 2) + big(UInt16(16)) + rate
      return text("FORM") + big(narrow) + text("AIFFCOMM") + big(UInt32(18)) + common
        + text("SSND") + big(narrow) + big(UInt64(0)) + samples
    case "au":
      return text(".snd") + [24, narrow, 3, 48_000, 1].flatMap { big($0) } + samples
    default:
      let tail = ChunkDialect.wave64Tail
      let riff = text("riff") + [UInt8](repeating: 0, count: 12) + WaveBytes.number(size)
      return riff + text("wave") + tail + text("fmt ") + tail + WaveBytes.number(UInt64(40))
        + format.dropFirst(8) + text("data") + tail + WaveBytes.number(size) + samples
    }
  }

  @Test(
    "is nothing where the header has a placeholder",
    arguments: [
      ("wav", 0), ("wav", 0x7FFF_F000), ("wav", 0x8000_0000), ("wav", 0x7FFF_FFFF),
      ("wav", 0x7FFF_FFDB), ("wav", 0xFFFF_FFDB), ("wav", 0xFFFF_FFFF), ("wav", 0x7FFF_FF00),
      ("aiff", 0), ("aiff", 8), ("aiff", 0x7F00_0008), ("aiff", 0xFFFF_FFFF),
      ("au", 0), ("au", 0x7FFF_FFFF), ("au", 0xFFFF_FFFF),
      ("w64", 0), ("w64", 24), ("w64", UInt64(Int64.max)), ("w64", UInt64.max),
    ] as [(String, UInt64)])
  func placeholder(kind: String, size: UInt64) throws {
    let file = try Containers.open(MemoryStore(unclosed(kind, size)))
    #expect(file.frameCount == 500)
    let condition = SoundFileCondition(of: file)
    #expect(condition.isUnclosed)
    #expect(condition.declaredFrameCount == 500)
    #expect(condition.warning?.hasPrefix("was not closed") ?? false)
  }

  @Test("is missing where the header has another size", arguments: ["wav", "aiff", "au", "w64"])
  func cut(kind: String) throws {
    for size: UInt64 in [3_000_000_000, 2_000, 0x7FFF_F000 + 1_000] {
      let condition = SoundFileCondition(
        of: try Containers.open(MemoryStore(unclosed(kind, size))))
      #expect(!condition.isUnclosed)
      #expect(condition.declaredFrameCount > 500)
    }
  }

  @Test("is nothing in a file without sound", arguments: ["wav", "aiff", "w64", "caf"])
  func empty(ending: String) throws {
    let path = folder.path("a.\(ending)")
    let encoding = try SoundFileEncoding(path: path)
    var metadata = SoundFileMetadata()
    metadata.info = ["title": "A title"]
    let file = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: 1, encoding, metadata: metadata)
    try file.finish()
    let condition = SoundFileCondition(of: try Containers.open(FileStore(path)))
    #expect(condition.frameCount == 0)
    #expect(condition.warning == nil)
  }
}

extension [UInt8] {
  /// The picture of the tags in these bytes.
  fileprivate var firstPicture: [UInt8]? {
    let marker = APETag.marker
    let hasTag = indices.dropLast(marker.count).contains { self[$0...].starts(with: marker) }
    return hasTag ? SoundTags.picture : nil
  }
}
