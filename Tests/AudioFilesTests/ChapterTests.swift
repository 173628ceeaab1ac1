// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioConversion
import AudioSupport
import AudioTestSupport
import CAudioToolbox
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
