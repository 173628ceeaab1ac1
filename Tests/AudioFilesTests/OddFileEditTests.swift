// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Changes of odd files")
struct OddFileEditTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A WAV file with a whole MP3 file, the frame with its table included, and a list behind.
  private func mpegInWave() throws -> [UInt8] {
    let recording = try #require(Recording.all.first { $0.type == kAudioFileMP3Type })
    let path = folder.path("a.mp3")
    try recording.write(path, 20_000)
    let whole = try FileStore(path).bytes(at: 0, 1 << 24)
    let format =
      WaveBytes.number(UInt16(0x55)) + WaveBytes.number(UInt16(2))
      + WaveBytes.number(UInt32(44_100)) + WaveBytes.number(UInt32(16_000))
      + WaveBytes.number(UInt16(1)) + WaveBytes.number(UInt16(0))
    return WaveBytes.riff(
      WaveBytes.chunk("fmt ", format), WaveBytes.chunk("fact", WaveBytes.number(UInt32(20_000))),
      WaveBytes.chunk("data", whole),
      WaveBytes.chunk(
        "LIST", WaveBytes.text("INFOINAM") + WaveBytes.number(UInt32(4)) + [97, 98, 99, 0]))
  }

  @Test("MPEG audio in WAV that is opened for writing and closed stays as it is")
  func closing() throws {
    let bytes = try mpegInWave()
    let path = folder.path("a.wav")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let file = try Containers.open(FileStore(path, writable: true))
    let frames = file.frameCount
    try file.close()
    #expect(try FileStore(path).bytes(at: 0, 1 << 24) == bytes)
    // New texts change neither its length nor its sound.
    let sound = try Recording.read(path)
    let edited = try Containers.open(FileStore(path, writable: true))
    try edited.setInfo(["title": "a longer title than before"])
    try edited.close()
    let again = try Containers.open(FileStore(path))
    #expect(again.frameCount == frames)
    #expect(try again.info["title"] == "a longer title than before")
    #expect(try Recording.read(path) == sound)
  }

  @Test("loops in an AIFF file whose instrument was cut are kept")
  func cutInstrument() throws {
    let store = MemoryStore()
    let format = Samples.pcm(16, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian)
    let file = try Containers.create(store, kAudioFileAIFFType, format)
    try file.setChunk("INST", 0, [69, 0, 0])
    try file.setRegions([WaveMarkers.region(1, "", [.loopEnable, .playForward], 1, 3)])
    try file.close()
    let copy = try Containers.open(MemoryStore(store.bytes))
    #expect(try copy.regions.map { $0.markers.map(\.frame) } == [[1, 3]])
    #expect(try copy.chunk("INST", 0, 0..<8) == [69, 0, 0, 127, 1, 127, 0, 0])
  }

  @Test("the time of a broadcast follows the part and the rate that are kept")
  func broadcast() throws {
    var description = [UInt8](repeating: 0, count: 602)
    description.replace(at: 338, WaveBytes.number(UInt64(96_000)))
    let source = try Containers.open(
      MemoryStore(
        WaveBytes.riff(
          WaveBytes.format(tag: 1, bits: 16), WaveBytes.chunk("bext", description),
          WaveBytes.chunk("chna", [1, 2, 3, 4]), WaveBytes.chunk("data", [0, 0, 0, 0]))))
    var metadata = SoundFileMetadata(of: source)
    metadata.move(to: 4_000..<8_000, ratio: 0.5)
    metadata.dropChannels()
    let store = MemoryStore()
    let made = try Containers.create(store, kAudioFileWAVEType, source.format)
    try metadata.write(to: made)
    try made.close()
    let again = try Containers.open(MemoryStore(store.bytes))
    let found = try again.chunk("bext", 0, 0..<602)
    #expect(ByteFields(found, isBigEndian: false).uint64(338) == 50_000)
    #expect(again.chunkCount("chna") == 0)
  }

  @Test("the key of an instrument survives other regions")
  func keyWithRegions() throws {
    var metadata = SoundFileMetadata()
    metadata.instrument = InstrumentInfo(key: 62, cents: 25, keys: 0...127, velocities: 0...127)
    metadata.regions = [WaveMarkers.region(1, "part", [], 1, 3)]
    let store = MemoryStore()
    let made = try Containers.create(
      store, kAudioFileWAVEType, Samples.pcm(16, kAudioFormatFlagIsSignedInteger, channels: 1))
    try metadata.write(to: made)
    try made.close()
    let info = try #require(InstrumentInfo(try Containers.open(MemoryStore(store.bytes))))
    #expect(info.key == 62)
    #expect(abs(info.cents - 25) < 0.01)
  }

  @Test("many tags take a bounded time and memory")
  func manyTags() throws {
    let recording = try #require(Recording.all.first { $0.type == kAudioFileMP3Type })
    let path = folder.path("a.mp3")
    try recording.write(path, 5_000)
    let whole = try FileStore(path).bytes(at: 0, 1 << 24)
    let lyrics = Array("LYRICSBEGINLYRICSEND".utf8)
    let file = try Containers.open(
      MemoryStore(whole + (0..<5_000).flatMap { _ in lyrics }))
    #expect(file.frameCount >= 5_000)
    _ = try file.info
  }
}
