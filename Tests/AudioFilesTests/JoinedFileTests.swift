// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioCodecs
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Concatenated files, and rare tables")
struct JoinedFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Writes noise with an encoding quality; returns the file's bytes and its decoded samples.
  private func part(_ name: String, _ codec: AudioFormatID, frames: Int, quality: Int?) throws
    -> (bytes: [UInt8], samples: [Float])
  {
    let path = folder.path(name)
    var encoding = try SoundFileEncoding(path: path, codec: codec)
    if codec == CompressedFormat.vorbis { encoding.variableQuality = quality }
    let file = try SoundFileWriter(path, sampleRate: 48_000, channelCount: 1, encoding)
    var random = Seeded(number: UInt64(frames))
    let planes = Planes([(0..<frames).map { _ in Float.random(in: -0.5...0.5, using: &random) }])
    try file.write(planes.channels, frameCount: frames)
    try file.finish()
    return (try FileStore(path).bytes(at: 0, 1 << 24), try Recording.read(path))
  }

  @Test(
    "are decoded like their parts, one after the other, from any frame",
    arguments: [kAudioFormatOpus, CompressedFormat.vorbis, kAudioFormatFLAC])
  func chained(codec: AudioFormatID) throws {
    let parts = try [(12_345, 20), (30_001, 110), (1, 60), (9_000, 60)].enumerated().map {
      try part("part\($0.offset).ogg", codec, frames: $0.element.0, quality: $0.element.1)
    }
    let path = folder.path("all.ogg")
    try FileStore(creating: path, erases: true).write(parts.flatMap(\.bytes), at: 0)
    let expected = parts.flatMap(\.samples)
    #expect(expected.count == 12_345 + 30_001 + 1 + 9_000)
    let found = try Recording.read(path)
    try #require(found.count == expected.count)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    for frame in [100, 12_344, 12_345, 20_000, 42_346, 45_000] {
      let some = try Recording.read(path, from: frame, 500)
      #expect(some.count == 500)
      #expect(zip(some, expected[frame...]).allSatisfy { abs($0 - $1) < 0.01 }, "frame \(frame)")
    }
  }

  /// The bytes of all packets.
  private func packets(_ file: Container) throws -> [UInt8] {
    let table = try #require(file.packets)
    return try (0..<table.count).flatMap { index in
      var packet = [UInt8](repeating: 0, count: table.size(index))
      try packet.withUnsafeMutableBufferPointer { packet throws(AudioError) in
        try file.readPacket(index, into: UnsafeMutableRawBufferPointer(packet))
      }
      return packet
    }
  }

  @Test(
    "have the same packets as streams, which report the cookie and the texts of each part",
    arguments: [kAudioFormatOpus, CompressedFormat.vorbis, kAudioFormatFLAC],
    [1, 7, 1_000, 1 << 20])
  func streamed(codec: AudioFormatID, size: Int) throws {
    let parts = try [(6_345, 20), (90_001, 110), (1, 60), (4_000, 60)].enumerated().map {
      try part("part\($0.offset).ogg", codec, frames: $0.element.0, quality: $0.element.1)
    }
    // The last page of the second part is lost.
    let cut = try #require(
      (0..<parts[1].bytes.count - 4).last { parts[1].bytes[$0...].starts(with: Array("OggS".utf8)) }
    )
    for second in [parts[1].bytes, Array(parts[1].bytes[..<cut])] {
      let all = parts[0].bytes + second + parts[2].bytes + parts[3].bytes
      let file = try Containers.open(MemoryStore(all))
      #expect(file.links.count == 4)
      let log = try StreamLog()
      try log.parse(all, { size })
      #expect(log.packetCount == file.packetCount)
      let isSame = try log.bytes == packets(file)
      #expect(isSame)
      func cookies() -> [[UInt8]] {
        log.properties.filter { $0.id == kAudioFileStreamProperty_MagicCookieData }.map(\.value)
      }
      #expect(cookies() == file.links.map(\.cookie))
      // Again, from the beginning.
      let stream = try #require(log.stream)
      let start = try Int(stream.seek(to: 0).offset) + file.dataOffset
      try log.feed(all[start...], isDiscontinuous: true)
      try log.feed([])
      #expect(log.packetCount == 2 * file.packetCount)
      #expect(cookies().count == 2 * file.links.count)
    }
  }

  @Test(
    "say as streams how many frames of their last packets are sound",
    arguments: [kAudioFormatOpus, CompressedFormat.vorbis])
  func streamedEnds(codec: AudioFormatID) throws {
    let lengths = [6_345, 90_001, 1, 4_000]
    let all = try lengths.enumerated().flatMap {
      try part("part\($0.offset).ogg", codec, frames: $0.element, quality: 60).bytes
    }
    let file = try Containers.open(MemoryStore(all))
    let priming = file.links.reduce(0) { $0 + $1.info.primingFrames }
    let log = try StreamLog()
    try log.parse(all, { 1_000 })
    let format = try #require(
      log.properties.first { $0.id == kAudioFileStreamProperty_DataFormat }?.value)
    let constant = format.withUnsafeBytes {
      $0.loadUnaligned(as: AudioStreamBasicDescription.self)
    }.mFramesPerPacket
    let frames = log.frames.reduce(0) { $0 + Int($1 > 0 ? $1 : constant) }
    #expect(frames - priming == lengths.reduce(0, +))
    // Again, from the beginning.
    let stream = try #require(log.stream)
    (log.frames, log.sizes, log.bytes) = ([], [], [])
    let place = try Int(stream.seek(to: 0).offset) + file.dataOffset
    try log.feed(all[place...], isDiscontinuous: true)
    try log.feed([])
    #expect(log.frames.reduce(0) { $0 + Int($1 > 0 ? $1 : constant) } == frames)
  }

  @Test("report other texts of a stream's next part")
  func streamedTexts() throws {
    var all: [UInt8] = []
    for title in ["one", "two", "two"] {
      let path = folder.path("\(title).opus")
      let encoding = try SoundFileEncoding(path: path)
      var metadata = SoundFileMetadata()
      metadata.info = ["title": title]
      let file = try SoundFileWriter(
        path, sampleRate: 48_000, channelCount: 1, encoding, metadata: metadata)
      let planes = Planes([[Float](repeating: 0.1, count: 5_000)])
      try withExtendedLifetime(planes) {
        try file.write(planes.channels, frameCount: planes.frameCount)
      }
      try file.finish()
      all += try FileStore(path).bytes(at: 0, 1 << 24)
    }
    let log = try StreamLog()
    try log.parse(all, { 100 })
    let reports = log.properties.filter { $0.id == kAudioFileStreamProperty_InfoDictionary }
    #expect(reports.count == 1)
  }

  @Test("as streams end where a part of another format or something else begins")
  func unlikeStream() throws {
    let one = try part("one.ogg", kAudioFormatOpus, frames: 5_000, quality: nil)
    let other = try part("two.ogg", kAudioFormatFLAC, frames: 5_000, quality: nil)
    for more in [other.bytes, [UInt8](repeating: 7, count: 100_000), [1]] {
      let log = try StreamLog()
      try log.parse(one.bytes + more, { 1_000 })
      #expect(try log.packetCount == Containers.open(MemoryStore(one.bytes)).packetCount)
    }
  }

  @Test("end where a part of another format begins")
  func unlike() throws {
    let one = try part("one.ogg", kAudioFormatOpus, frames: 5_000, quality: nil)
    let other = try part("two.ogg", kAudioFormatFLAC, frames: 5_000, quality: nil)
    let path = folder.path("both.ogg")
    try FileStore(creating: path, erases: true).write(one.bytes + other.bytes, at: 0)
    let found = try Recording.read(path)
    #expect(found == one.samples)
  }

  @Test("are read with packet sizes of 16, 8 and 4 bits", arguments: [16, 8, 4])
  func compactSizes(bits: Int) throws {
    let path = folder.path("a.m4a")
    let file = try Containers.create(
      FileStore(creating: path, erases: true), kAudioFileM4AType,
      Recording(kAudioFileM4AType, kAudioFormatMPEG4AAC).format)
    let sizes = (0..<41).map { 1 + ($0 * 7) % min(1 << bits - 1, 1_000) }
    let bytes = Samples.bytes(sizes.reduce(0, +))
    var start = 0
    let packets = sizes.map { size in
      defer { start += size }
      return AudioStreamPacketDescription(
        mStartOffset: Int64(start), mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
    }
    try bytes.withUnsafeBytes { try file.appendPackets(packets, from: $0) }
    try file.close()
    var all = try FileStore(path).bytes(at: 0, 1 << 20)
    let name = try #require(
      all.indices.dropLast(4).first { Array(all[$0..<$0 + 4]) == Array("stsz".utf8) })
    let whole = 20 + 4 * sizes.count
    var table = ByteBuilder(isBigEndian: true)
    let entries = (sizes.count * bits + 7) / 8
    table.number(UInt32(20 + entries))
    table.code("stz2")
    table.number(UInt32(0))
    table.number(UInt32(bits))
    table.number(UInt32(sizes.count))
    for (index, size) in sizes.enumerated() {
      switch bits {
      case 16: table.number(UInt16(size))
      case 8: table.number(UInt8(size))
      default:
        if index % 2 == 0 {
          let next = index + 1 < sizes.count ? sizes[index + 1] : 0
          table.number(UInt8(size << 4 | next))
        }
      }
    }
    let rest = whole - table.bytes.count
    table.number(UInt32(rest))
    table.code("free")
    table.zeros(rest - 8)
    all.replaceSubrange(name - 4..<name - 4 + whole, with: table.bytes)
    let copy = try Containers.open(MemoryStore(all))
    let found = try #require(copy.packets)
    #expect((0..<found.count).map { found.size($0) } == sizes)
    #expect(try copy.store.bytes(at: found.offset(0), bytes.count) == bytes)
  }
}
