// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioConversion
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Chapters of files that have no markers")
struct ChapterTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let markers = [
    Marker(frame: 0, name: "Begin", id: 1), Marker(frame: 4_800, name: "Zwölf", id: 2),
    Marker(frame: 7_200, name: "Ende, 終", id: 3),
  ]

  /// A file of 9,000 frames with these markers.
  private func file(_ ending: String, _ metadata: SoundFileMetadata) throws -> String {
    let path = folder.path("a.\(ending)")
    let writer = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: 1, try SoundFileEncoding(path: path),
      metadata: metadata)
    let planes = Planes([SoundCorpus.samples])
    try withExtendedLifetime(planes) {
      try writer.write(planes.channels, frameCount: SoundCorpus.frameCount)
    }
    try writer.finish()
    return path
  }

  @Test(
    "keep the time and the name of each marker",
    arguments: ["flac", "ogg", "opus", "mp3", "aac", "m4a"])
  func kept(ending: String) throws {
    var metadata = SoundFileMetadata()
    metadata.info = ["title": "abc"]
    metadata.artwork = [0x89, 0x50, 1, 2, 3]
    metadata.markers = Self.markers
    let path = try file(ending, metadata)
    let found = try Containers.open(FileStore(path))
    #expect(try found.markers == Self.markers)
    #expect(try found.info["title"] == "abc")
    #expect(try found.artwork == metadata.artwork)
    let whole = try Recording.read(path)
    #expect(
      ending == "aac"
        ? whole.count >= SoundCorpus.frameCount : whole.count == SoundCorpus.frameCount)
  }

  @Test(
    "stay when texts and the picture are replaced, and the other way round",
    arguments: ["flac", "mp3", "m4a"])
  func replaced(ending: String) throws {
    var metadata = SoundFileMetadata()
    metadata.info = ["title": "abc"]
    metadata.markers = Self.markers
    let path = try file(ending, metadata)
    let sound = try Recording.read(path)
    let opened = try Containers.open(FileStore(path, writable: true))
    try opened.setInfo(["title": "other"])
    try opened.setArtwork([0x89, 0x50, 7])
    #expect(try opened.markers == Self.markers)
    try opened.setMarkers([Self.markers[1]])
    try opened.close()
    let found = try Containers.open(FileStore(path))
    #expect(try found.markers.map(\.name) == ["Zwölf"])
    #expect(try found.info["title"] == "other")
    #expect(try found.artwork == [0x89, 0x50, 7])
    #expect(try Recording.read(path) == sound)
  }

  @Test("are read from texts of FLAC and Ogg as other programs write them")
  func comments() {
    func comment(_ texts: [String]) -> [UInt8] {
      let entries = texts.map { WaveBytes.number(UInt32($0.utf8.count)) + WaveBytes.text($0) }
      return WaveBytes.number(UInt32(0)) + WaveBytes.number(UInt32(texts.count))
        + entries.flatMap { $0 }
    }
    let found = VorbisComment.chapters(
      comment([
        "chapter002=01:02:03.5", "CHAPTER001=00:00:00.000", "Chapter001Name=one", "CHAPTER003=x",
        "CHAPTERS=3", "CHAPTER003NAME=none", "CHAPTER004=00:00:nan", "CHAPTER005=00:00:-1",
      ]))
    #expect(found == [Chapter(seconds: 0, name: "one"), Chapter(seconds: 3_723.5, name: "")])
  }

  @Test("are the tracks of a cue sheet, in FLAC without chapters")
  func cueSheet() throws {
    func track(_ number: UInt8, _ start: UInt64, _ points: [(UInt64, UInt8)]) -> [UInt8] {
      var bytes = ByteBuilder(isBigEndian: true)
      bytes.number(start)
      bytes.number(number)
      bytes.zeros(26)
      bytes.number(UInt8(points.count))
      for (offset, point) in points {
        bytes.number(offset)
        bytes.number(point)
        bytes.zeros(3)
      }
      return bytes.bytes
    }
    let sheet =
      [UInt8](repeating: 0, count: 395) + [3] + track(1, 0, [(0, 1)])
      + track(2, 4_704, [(0, 0), (588, 1)]) + track(170, 9_000, [])
    let path = try file("flac", SoundFileMetadata())
    let whole = try FileStore(path).bytes(at: 0, 1 << 20)
    // Behind the first block.
    let block = [5, 0, UInt8(sheet.count >> 8), UInt8(sheet.count & 255)] + sheet
    let found = try Containers.open(MemoryStore(Array(whole[..<42]) + block + whole[42...]))
    #expect(
      try found.markers == [
        Marker(frame: 0, name: "Track 1", id: 1),
        Marker(frame: 4_704, name: "Track 2, index 0", id: 2),
        Marker(frame: 5_292, name: "Track 2", id: 3),
      ])
    // Numbers beyond its end are no markers.
    let cut = ByteFields(Array(sheet[..<430]) + [200], isBigEndian: true)
    #expect(FLACCueSheet.markers(cut).count <= 1)
  }

  /// The file with a track of texts, which are at `start` or behind the sound.
  private func withTextTrack(_ path: String, start: Int? = nil) throws -> [UInt8] {
    let all = try FileStore(path).bytes(at: 0, 1 << 20)
    let fields = ByteFields(all, isBigEndian: true)
    let movie = try #require(fields.box(0..<all.count, "moov"))
    var wide: [UInt8] = [0xFE, 0xFF]
    for unit in "Zwölf".utf16 { wide += [UInt8(unit >> 8), UInt8(unit & 255)] }
    let encoding: [UInt8] = [0, 0, 0, 12] + Array("encd".utf8) + [0, 0, 1, 0]
    let texts: [[UInt8]] = [
      [0, 5] + Array("Begin".utf8) + encoding, [0, UInt8(wide.count)] + wide,
      [0, 9] + Array("Ende, 終".utf8),
    ]
    var made = ByteBuilder(isBigEndian: true)
    made.append(all[..<movie.start])
    let place = start ?? made.bytes.count + 8
    made.box("mdat") { for text in texts { $0.append(text) } }
    func numbers(_ type: ChunkCode, _ values: [Int], _ box: inout ByteBuilder) {
      box.fullBox(type) { for value in values { $0.number(UInt32(value)) } }
    }
    made.box("moov") { changed in
      for box in fields.boxes(movie.body) {
        guard box.type == "trak" else {
          changed.append(fields.bytes[box.start..<box.body.upperBound])
          continue
        }
        changed.box("trak") { track in
          track.append(fields.bytes[box.body])
          track.box("tref") { names in
            names.box("sync") { $0.number(UInt32(1)) }
            names.box("chap") { $0.number(UInt32(2)) }
          }
        }
      }
      changed.box("trak") { track in
        numbers("tkhd", [0, 0, 2, 0, 0], &track)
        track.box("mdia") { media in
          numbers("mdhd", [0, 0, 1_000, 187, 0], &media)
          media.fullBox("hdlr") { $0.append([0, 0, 0, 0] + Array("text".utf8)) }
          media.box("minf") { information in
            information.box("stbl") { table in
              numbers("stts", [3, 1, 100, 1, 50, 1, 37], &table)
              numbers("stsc", [1, 1, 3, 1], &table)
              numbers("stsz", [0, 3] + texts.map(\.count), &table)
              numbers("stco", [1, place], &table)
            }
          }
        }
      }
    }
    made.append(all[movie.body.upperBound...])
    return made.bytes
  }

  @Test("are read from a track of texts, which goes when they change, and only then")
  func textTrack() throws {
    let path = try file("m4a", SoundFileMetadata())
    let sound = try Recording.read(path)
    let store = MemoryStore(try withTextTrack(path))
    let opened = try Containers.open(store)
    #expect(try opened.markers == Self.markers)
    func contains(_ text: String) throws -> Bool {
      let bytes = try store.bytes(at: 0, try store.byteCount())
      let movie = ByteFields(bytes, isBigEndian: true)
      let box = try #require(movie.box(0..<bytes.count, "moov"))
      return Data(bytes[box.body]).range(of: Data(text.utf8)) != nil
    }
    try opened.setInfo(["title": "abc"])
    #expect(try Containers.open(store).markers == Self.markers)
    #expect(try contains("chap"))
    try opened.setMarkers([Self.markers[2]])
    #expect(try Containers.open(store).markers.map(\.name) == ["Ende, 終"])
    #expect(try !contains("chap"))
    #expect(try contains("sync"))
    let copy = folder.path("b.m4a")
    try Data(store.bytes(at: 0, try store.byteCount())).write(to: URL(fileURLWithPath: copy))
    #expect(try Recording.read(copy) == sound)
  }

  @Test("are read from such a track once")
  func textTrackOnce() throws {
    let store = FailingStore(failing: 0..<0, isSparse: false)
    try store.write(try withTextTrack(try file("m4a", SoundFileMetadata())), at: 0)
    let opened = try Containers.open(store)
    #expect(try opened.markers == Self.markers)
    let read = store.readByteCount
    #expect(try opened.markers == Self.markers)
    _ = (try opened.ownInfo, try opened.ownArtwork)
    #expect(store.readByteCount == read)
  }

  @Test("are those of the user data if the file lacks the texts of the track")
  func missingTexts() throws {
    var metadata = SoundFileMetadata()
    metadata.markers = [Self.markers[1]]
    let path = try file("m4a", metadata)
    for start in [1 << 20, Int(UInt32.max)] {
      let opened = try Containers.open(MemoryStore(try withTextTrack(path, start: start)))
      #expect(try opened.markers.map(\.name) == ["Zwölf"])
    }
  }

  @Test("of FLAC: the channels have the places that its texts state")
  func layout() throws {
    let path = folder.path("a.flac")
    let labels = [
      kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_Center,
      kAudioChannelLabel_CenterSurround,
    ]
    var metadata = SoundFileMetadata()
    metadata.layout = ChannelLayout(labels: labels).descriptions
    let writer = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: 4, try SoundFileEncoding(path: path),
      metadata: metadata)
    let planes = Planes((0..<4).map { [Float](repeating: Float($0 + 1) / 8, count: 100) })
    try writer.write(planes.channels, frameCount: 100)
    try writer.finish()
    let layout = try #require(try Containers.open(FileStore(path)).layout)
    #expect(layout.withUnsafeBytes { ChannelLayout($0) }?.labels == labels)
    var reader = try SoundFileReader(path: path)
    #expect(try reader.readAll().map { $0[50] } == [0.125, 0.25, 0.375, 0.5])
  }
}
