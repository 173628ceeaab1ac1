// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Testing

@Suite("Streams of odd files")
struct OddStreamTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func bytes(_ type: AudioFileTypeID, _ id: AudioFormatID, _ frames: Int) throws -> [UInt8]
  {
    let recording = try #require(Recording.all.first { $0.type == type && $0.id == id })
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, frames)
    return try FileStore(path).bytes(at: 0, 1 << 24)
  }

  private func log(
    _ bytes: [UInt8], _ size: Int, hint: AudioFileTypeID = 0, isEnd: Bool = true
  ) throws -> StreamLog {
    let log = try StreamLog(hint: hint)
    try log.parse(bytes, { size }, isEnd: isEnd)
    return log
  }

  @Test(
    "have the packets behind tags, and state where they begin", arguments: [100, 5_000, 1 << 20])
  func tagged(size: Int) throws {
    let text = WaveBytes.text("TIT2") + [0, 0, 0, 5, 0, 0, 0] + WaveBytes.text("OggS")
    let tag = WaveBytes.text("ID3") + [3, 0, 0, 0, 0, 16, 15] + text
    let tags =
      (tag + [UInt8](repeating: 0, count: 2_063 - text.count)) + tag.prefix(10)
      + [UInt8](repeating: 7, count: 2_063)
    let wave = WaveBytes.riff(
      WaveBytes.format(tag: 1, bits: 16),
      WaveBytes.chunk("data", (0..<9_000).map { UInt8($0 & 255) }))
    for plain in [wave, try bytes(kAudioFileOggType, kAudioFormatOpus, 20_000)] {
      let expected = try log(plain, size)
      let found = try log(tags + plain, size)
      #expect(found.bytes == expected.bytes)
      #expect(found.packetCount == expected.packetCount)
      let start = try expected.value(kAudioFileStreamProperty_DataOffset)
      let moved = try found.value(kAudioFileStreamProperty_DataOffset)
      func number(_ bytes: [UInt8]) -> Int {
        Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
      }
      #expect(number(moved) == number(start) + tags.count)
    }
  }

  /// A short sound in a kind of file, with its tables in front.
  private func sound(_ ending: String) throws -> [UInt8] {
    let path = folder.path("b.\(ending)")
    let file = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: 1, try SoundFileEncoding(path: path))
    let planes = Planes([(0..<6_000).map { Float($0 % 50) * 0.01 - 0.25 }])
    try withExtendedLifetime(planes) {
      try file.write(planes.channels, frameCount: planes.frameCount)
    }
    try file.finish()
    let made = try Containers.open(FileStore(path, writable: true))
    try made.optimize()
    try made.close()
    return try FileStore(path).bytes(at: 0, 1 << 24)
  }

  @Test(
    "have the packets of the file between tags of every kind, whatever pieces they come in",
    arguments: ["wav", "aiff", "w64", "caf", "au", "flac", "ogg", "opus", "m4a", "mp3", "aac"],
    [1, 7, 1_000])
  func surrounded(ending: String, size: Int) throws {
    let plain = try sound(ending)
    let fronts = [
      SoundTags.id3("one"), SoundTags.id3("one", footer: true) + SoundTags.id3("two"),
      SoundTags.ape("three"), SoundTags.id3("one") + SoundTags.ape("three") + SoundTags.id3("two"),
    ]
    let backs = [SoundTags.id3v1("old"), SoundTags.ape("three") + SoundTags.id3v1("old")]
    let expected = try log(plain, 1 << 20)
    #expect(try expected.packetCount == Containers.open(MemoryStore(plain)).packetCount)
    for (index, front) in fronts.enumerated() {
      let found = try log(front + plain + backs[index % 2], size)
      #expect(found.packetCount == expected.packetCount, "front \(index)")
      let isSame = found.bytes == expected.bytes
      #expect(isSame, "front \(index)")
    }
  }

  @Test("of MPEG audio in WAV leave out the table of frames", arguments: [100, 1 << 20])
  func tableInWave(size: Int) throws {
    let whole = try bytes(kAudioFileMP3Type, kAudioFormatMPEGLayer3, 30_011)
    let file = try Containers.open(MemoryStore(whole))
    var format = WaveBytes.number(UInt16(0x55)) + WaveBytes.number(UInt16(2))
    format += WaveBytes.number(UInt32(44_100)) + WaveBytes.number(UInt32(16_000))
    format += WaveBytes.number(UInt16(1)) + WaveBytes.number(UInt16(0))
    let wave = WaveBytes.riff(
      WaveBytes.chunk("fmt ", format), WaveBytes.chunk("fact", WaveBytes.number(UInt32(30_011))),
      WaveBytes.chunk("data", whole))
    let found = try log(wave, size, hint: kAudioFileWAVEType)
    #expect(found.packetCount == file.packetCount)
    #expect(found.bytes == Array(whole[file.dataOffset...]))
  }

  @Test("of MPEG audio in WAV are as long as the file says", arguments: [100, 1 << 20])
  func lengthInWave(size: Int) throws {
    let whole = try bytes(kAudioFileMP3Type, kAudioFormatMPEGLayer3, 30_011)
    let plain = try Containers.open(MemoryStore(whole))
    // Without the table of frames.
    let sound = Array(whole[plain.dataOffset...])
    var format = WaveBytes.number(UInt16(0x55)) + WaveBytes.number(UInt16(2))
    format += WaveBytes.number(UInt32(44_100)) + WaveBytes.number(UInt32(16_000))
    format += WaveBytes.number(UInt16(1)) + WaveBytes.number(UInt16(0))
    let wave = WaveBytes.riff(
      WaveBytes.chunk("fmt ", format), WaveBytes.chunk("fact", WaveBytes.number(UInt32(30_011))),
      WaveBytes.chunk("data", sound))
    let info = try #require(try Containers.open(MemoryStore(wave)).packetInfo)
    #expect((info.validFrames, info.primingFrames) == (30_011, 1_105))
    #expect(try packetInfo(try log(wave, size)) == info)
  }

  /// What a stream states about its length.
  private func packetInfo(_ log: StreamLog) throws -> Container.PacketInfo {
    let table = try log.value(kAudioFileStreamProperty_PacketTableInfo).withUnsafeBytes {
      $0.loadUnaligned(as: AudioFilePacketTableInfo.self)
    }
    return Container.PacketInfo(
      validFrames: Int(table.mNumberValidFrames), primingFrames: Int(table.mPrimingFrames),
      remainderFrames: Int(table.mRemainderFrames))
  }

  @Test(
    "of MP3 correct their length where more packets follow than the first frame states",
    arguments: [0, 3, 20, 200] as [UInt8], [100, 1 << 20])
  func falseTable(count: UInt8, size: Int) throws {
    var whole = try bytes(kAudioFileMP3Type, kAudioFormatMPEGLayer3, 30_011)
    let mark = try #require(
      (0..<400).first {
        ["Info", "Xing"].contains(String(decoding: whole[$0..<$0 + 4], as: UTF8.self))
      })
    whole[mark + 11] = count
    let file = try Containers.open(MemoryStore(whole))
    let log = try log(whole, size)
    #expect(log.packetCount == file.packetCount)
    let reported = log.properties.filter { $0.id == kAudioFileStreamProperty_PacketTableInfo }
    #expect(Int(count) > file.packetCount ? reported.count == 1 : reported.count > 1)
    guard Int(count) <= file.packetCount else { return }
    #expect(try packetInfo(log) == file.packetInfo)
    let stated = try log.value(kAudioFileStreamProperty_AudioDataPacketCount)
    #expect(stated.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } == file.packetCount)
  }

  @Test(
    "of MPEG-4 have the packets of the movie box, then those of fragments",
    arguments: [50, 1 << 20])
  func tableAndFragments(size: Int) throws {
    let path = folder.path("a.caf")
    try Recording(kAudioFileCAFType, kAudioFormatMPEG4AAC, 44_100, 1).write(path, 20_011)
    let source = try Containers.open(FileStore(path))
    let packets = try #require(source.packets)
    let all = try source.store.bytes(at: packets.offset(0), packets.byteCount)
    let first = packets.offset(5) - packets.offset(0)
    // Five packets by the table in front of them, and the others by a fragment.
    func movie(_ start: Int) throws -> [UInt8] {
      var movie = TestMovie(type: "mp4a")
      movie.extras = TestMovie.descriptor(0x40, [0x12, 0x08])
      movie.sizes = (0..<5).map { packets.size($0) }
      movie.duration = 1_024
      movie.soundStart = start
      movie.hasFragments = true
      return movie.bytes
    }
    let front = try movie(0).count
    var builder = ByteBuilder(isBigEndian: true)
    builder.append(try movie(front + 8))
    builder.box("mdat") { $0.append(all[..<first]) }
    func fragment(_ offset: Int) -> [UInt8] {
      var builder = ByteBuilder(isBigEndian: true)
      builder.box("moof") { fragment in
        fragment.fullBox("mfhd") { $0.number(UInt32(1)) }
        fragment.box("traf") { track in
          track.fullBox("tfhd", flags: 0x02_0008) { head in
            head.number(UInt32(1))
            head.number(UInt32(1_024))
          }
          track.fullBox("trun", flags: 0x201) { run in
            run.number(UInt32(packets.count - 5))
            run.number(Int32(offset))
            for index in 5..<packets.count { run.number(UInt32(packets.size(index))) }
          }
        }
      }
      return builder.bytes
    }
    builder.append(fragment(fragment(0).count + 8))
    builder.box("mdat") { $0.append(all[first...]) }
    let file = try Containers.open(MemoryStore(builder.bytes))
    #expect(file.packetCount == packets.count)
    let found = try log(builder.bytes, size)
    #expect(found.packetCount == packets.count)
    #expect(found.bytes == all)
    // From the beginning again.
    let stream = try #require(found.stream)
    let start = try stream.seek(to: 0).offset
    let offset = try found.value(kAudioFileStreamProperty_DataOffset).withUnsafeBytes {
      Int($0.loadUnaligned(as: Int64.self))
    }
    try found.feed(builder.bytes[(offset + Int(start))...], isDiscontinuous: true)
    #expect(found.bytes == all + all)
  }

  @Test("of FLAC deliver the last packet, also where the header gives a range of lengths")
  func lastPacket() throws {
    var whole = try bytes(kAudioFileFLACType, kAudioFormatFLAC, 30_011)
    let file = try Containers.open(MemoryStore(whole))
    whole.replaceSubrange(8..<12, with: [0, 16, 0xFF, 0xFF])
    for size in [500, whole.count] {
      #expect(try log(whole, size, isEnd: false).packetCount == file.packetCount)
    }
  }

  @Test("of FLAC deliver a single long frame with its last byte")
  func longFrame() throws {
    // One frame of 65,535 uncompressed samples of noise of 16 bits.
    var random = Seeded(number: 5)
    var frame: [UInt8] = [0xFF, 0xF8, 0x70, 0x08, 0, 0xFF, 0xFE]
    var check: UInt8 = 0
    for byte in frame {
      check ^= byte
      for _ in 0..<8 { check = check & 0x80 != 0 ? check << 1 ^ 7 : check << 1 }
    }
    frame += [check, 0x02] + (0..<131_070).map { _ in UInt8.random(in: 0...255, using: &random) }
    var sum: UInt16 = 0
    for byte in frame {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
    }
    frame += [UInt8(sum >> 8), UInt8(sum & 255)]
    var head = ByteBuilder(isBigEndian: true)
    head.append(WaveBytes.text("fLaC"))
    head.number(UInt32(0x8000_0022))
    head.number(UInt32(0xFFFF_FFFF))
    let size = frame.count
    for _ in 0..<2 { head.append([UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)]) }
    head.number(UInt64(44_100) << 44 | 15 << 36 | 65_535)
    head.zeros(16)
    let found = try log(head.bytes + frame, 1_000, isEnd: false)
    #expect(found.packetCount == 1)
    #expect(found.bytes == frame)
  }
}
