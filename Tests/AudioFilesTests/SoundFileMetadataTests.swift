// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioCodecs
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Metadata copied from one sound file to another")
struct SoundFileMetadataTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private var metadata: SoundFileMetadata {
    var metadata = SoundFileMetadata()
    metadata.info = ["title": "A tone", "artist": "Zoë", "track number": "3"]
    metadata.artwork = [0x89, 0x50, 0x4E, 0x47] + (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    metadata.markers = [
      Marker(frame: 1_000, name: "one", id: 1), Marker(frame: 8_000, name: "two", id: 2),
    ]
    return metadata
  }

  private func write(_ name: String, _ codec: AudioFormatID? = nil, rate: Double = 48_000) throws
    -> Container
  {
    let path = folder.path(name)
    let encoding = try SoundFileEncoding(path: path, codec: codec)
    let file = try SoundFileWriter(
      path, sampleRate: rate, channelCount: 2, encoding, metadata: metadata)
    let planes = Planes(channelCount: 2, frameCount: 10_000)
    try file.write(planes.channels, frameCount: 10_000)
    try file.finish()
    return try Containers.open(FileStore(path))
  }

  @Test(
    "is written to every kind of file that can store it",
    arguments: SoundFileKind.allCases.filter { ![.au, .w64, .aac].contains($0) })
  func kinds(kind: SoundFileKind) throws {
    let file = try write("a.\(kind.rawValue)")
    let info = try file.info
    #expect(info["title"] == "A tone" && info["artist"] == "Zoë")
    #expect(file.frameCount == 10_000)
    let artwork = try file.artwork
    if kind != .caf { #expect(artwork == metadata.artwork) }
    let markers = try file.markers
    if kind.codec == kAudioFormatLinearPCM {
      #expect(markers == metadata.markers)
    }
  }

  @Test("is dropped when a kind cannot store it", arguments: ["a.au", "a.w64", "a.aac"])
  func none(name: String) throws {
    let file = try write(name)
    #expect(file.packetCount > 0)
  }

  @Test("moves markers with the kept part and with the sample rate")
  func moving() {
    var metadata = metadata
    metadata.regions = [
      Region(
        id: 1, name: "kept", flags: [.loopEnable, .playForward],
        markers: [Marker(frame: 2_000, name: "", id: 3)]),
      Region(id: 2, name: "cut", flags: [.loopEnable, .playForward], markers: metadata.markers),
    ]
    metadata.move(to: 900.0..<5_000, ratio: 0.5)
    #expect(metadata.markers == [Marker(frame: 50, name: "one", id: 1)])
    #expect(metadata.regions.map(\.name) == ["kept"])
    #expect(metadata.regions[0].markers[0].frame == 550)
  }

  @Test("reorders channels for the layout of the new file")
  func channels() throws {
    var metadata = SoundFileMetadata()
    // L R Ls Rs C LFE, which FLAC stores as L R C LFE Ls Rs.
    metadata.layout = WaveLayout.bytes(tag: kAudioChannelLayoutTag_MPEG_5_1_B)
    let path = folder.path("a.flac")
    let file = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: 6, try SoundFileEncoding(path: path),
      metadata: metadata)
    let planes = Planes((0..<6).map { [Float](repeating: Float($0) / 8, count: 5_000) })
    try file.write(planes.channels, frameCount: 5_000)
    try file.finish()
    var reader = try SoundFileReader(path: path)
    let found = try reader.readAll().map { $0[2_500] * 8 }
    #expect(found == [0, 1, 4, 5, 2, 3])
  }

  @Test("selects the next higher sample rate that a codec supports")
  func rates() throws {
    let opus = try SoundFileEncoding(path: "a.opus")
    #expect(
      [8_000, 11_025, 44_100, 192_000].map { opus.sampleRate(for: $0) } == [
        8_000, 12_000, 48_000, 48_000,
      ])
    #expect(try SoundFileEncoding(path: "a.flac").sampleRate(for: 44_100) == 44_100)
    #expect(try SoundFileEncoding(path: "a.wav").sampleRate(for: 12_345) == 12_345)
    for (path, codec) in [("a.wav", kAudioFormatOpus), ("a.opus", CompressedFormat.vorbis)] {
      let text = explanation { _ = try SoundFileEncoding(path: path, codec: codec) }
      #expect(text.hasPrefix("\(path): "))
    }
  }
}
