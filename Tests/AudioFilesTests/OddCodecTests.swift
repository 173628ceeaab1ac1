// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Codecs in kinds of files where they are rare")
struct OddCodecTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func save(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = folder.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// The chunk of WAV for blocks of a codec.
  private func format(_ tag: UInt16, block: UInt16, frames: UInt16) -> [UInt8] {
    WaveBytes.number(tag) + WaveBytes.number(UInt16(1)) + WaveBytes.number(UInt32(8_000))
      + WaveBytes.number(UInt32(4_000)) + WaveBytes.number(block) + WaveBytes.number(UInt16(4))
      + WaveBytes.number(UInt16(2)) + WaveBytes.number(frames)
  }

  /// Blocks whose bytes a decoder accepts.
  private func blocks(_ tag: UInt16, _ size: Int, _ count: Int) -> [UInt8] {
    var random = Seeded(number: UInt64(tag))
    return (0..<count).flatMap { _ -> [UInt8] in
      var bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      switch tag {
      case 2: bytes = [0, 16, 0, 200, 0, 100, 0] + bytes[7...].map { $0 & 0x33 }
      case 0x11: bytes.replaceSubrange(0..<4, with: [100, 0, 20, 0])
      default: bytes[0] = 0xD0 | bytes[0] & 15
      }
      return bytes
    }
  }

  private func caf(
    _ id: AudioFormatID, rate: Double, channels: Int, bytes: Int, frames: Int,
    table: (count: Int, valid: Int, entries: [UInt8])? = nil, cookie: [UInt8] = [], sound: [UInt8]
  ) -> [UInt8] {
    var all = WaveBytes.text("caff") + [0, 1, 0, 0]
    func chunk(_ name: String, _ body: [UInt8]) {
      all += WaveBytes.text(name) + number(UInt64(body.count)) + body
    }
    var description = number(rate.bitPattern) + number(id)
    for value in [0, bytes, frames, channels, 0] { description += number(UInt32(value)) }
    chunk("desc", description)
    if !cookie.isEmpty { chunk("kuki", cookie) }
    if let table {
      var head = number(UInt64(table.count)) + number(UInt64(table.valid))
      head += number(UInt64(0))
      chunk("pakt", head + table.entries)
    }
    chunk("data", number(UInt32(0)) + sound)
    return all
  }

  // MARK: Blocks

  @Test(
    "of blocks sound in QuickTime and CAF as in WAV",
    arguments: [(2, 32, 52), (0x11, 36, 65), (0x31, 65, 320)] as [(UInt16, Int, Int)])
  func blocksInMovies(tag: UInt16, size: Int, frames: Int) throws {
    let sound = blocks(tag, size, 5)
    let chunk = format(tag, block: UInt16(size), frames: UInt16(frames))
    let wave = WaveBytes.riff(WaveBytes.chunk("fmt ", chunk), WaveBytes.chunk("data", sound))
    let expected = try Recording.read(try save(wave, "a.wav"))
    #expect(expected.count == 5 * frames)
    #expect(expected.contains { abs($0) > 1e-4 })
    let id = AudioFormatID(0x6D73_0000) | AudioFormatID(tag)
    var movie = TestMovie(type: ChunkCode(id), version: 1, rate: 8_000)
    movie.timescale = 8_000
    movie.sound = sound
    let fields = TestMovie.packet(frames: UInt32(frames), bytes: UInt32(size))
    var wave2 = ByteBuilder(isBigEndian: true)
    wave2.box("wave") { $0.box(ChunkCode(id)) { $0.append(chunk) } }
    // QuickTime counts frames, or states the size of a packet; the block is in either place.
    for (extras, all, count) in [
      (fields, 1, 5 * frames), (fields, size, 5),
      (TestMovie.packet(frames: 0, bytes: 0) + wave2.bytes, 1, 5 * frames),
    ] {
      (movie.extras, movie.sizeOfAll, movie.sampleCount) = (extras, all, count)
      #expect(try Recording.read(try save(movie.bytes, "a.mov")) == expected)
    }
    movie.extras = TestMovie.packet(frames: 0, bytes: 0)
    let error = #expect(throws: AudioError.self) {
      try Containers.open(MemoryStore(movie.bytes))
    }
    #expect(error?.explanation.contains("no size of a packet") ?? false)
    let inCAF = caf(id, rate: 8_000, channels: 1, bytes: size, frames: frames, sound: sound)
    #expect(try Recording.read(try save(inCAF, "a.caf")) == expected)
  }

  @Test("of GSM 6.10 sound alike in QuickTime, CAF and AIFC")
  func gsm() throws {
    let sound = blocks(0, 33, 7)
    var movie = TestMovie(type: "agsm", version: 1, rate: 8_000)
    movie.timescale = 8_000
    (movie.sizeOfAll, movie.sampleCount, movie.duration) = (33, 7, 160)
    movie.extras = TestMovie.packet(frames: 160, bytes: 0)
    movie.sound = sound
    let found = try Recording.read(try save(movie.bytes, "a.mov"))
    #expect(found.count == 7 * 160)
    #expect(found.contains { abs($0) > 0.01 })
    let inCAF = caf(
      CompressedFormat.gsm, rate: 8_000, channels: 1, bytes: 33, frames: 160, sound: sound)
    #expect(try Recording.read(try save(inCAF, "a.caf")) == found)
    for code in ["GSM ", "agsm"] {
      let common = number(UInt16(1)) + number(UInt32(7)) + number(UInt16(16))
      let chunk = common + ExtendedFloat.bytes(8_000) + WaveBytes.text(code) + [0, 0]
      var body = WaveBytes.text("AIFCCOMM") + number(UInt32(chunk.count)) + chunk
      body += WaveBytes.text("SSND") + number(UInt32(8 + sound.count))
      body += number(UInt64(0)) + sound + [0]
      let bytes = WaveBytes.text("FORM") + number(UInt32(body.count)) + body
      #expect(try Recording.read(try save(bytes, "a.aifc")) == found)
    }
  }

  // MARK: AAC and MPEG audio in MPEG-4

  @Test(
    "of AAC of low delay have packets of 512 or 480 frames",
    arguments: [
      ([0xBA, 0x10, 0, 0], kAudioFormatMPEG4AAC_LD, 512),
      ([0xBA, 0x14, 0, 0], kAudioFormatMPEG4AAC_LD, 480),
      ([0xF8, 0xE8, 0x40, 0], kAudioFormatMPEG4AAC_ELD, 512),
      ([0xF8, 0xE8, 0x50, 0], kAudioFormatMPEG4AAC_ELD, 480),
    ] as [([UInt8], AudioFormatID, Int)])
  func lowDelay(config: [UInt8], id: AudioFormatID, frames: Int) throws {
    let read = try #require(AudioSpecificConfig(config))
    #expect((read.formatID, read.rate, read.channelCount) == (id, 44_100, 2))
    #expect(read.framesPerPacket == frames)
    var movie = TestMovie(type: "mp4a", channels: 2)
    movie.extras = TestMovie.descriptor(0x40, config)
    movie.sizes = [100, 101, 102, 103]
    movie.sound = [UInt8](repeating: 0, count: 406)
    movie.duration = UInt32(frames)
    movie.item = TestMovie.gapless(frames, 20, 3 * frames - 20)
    let file = try Containers.open(MemoryStore(movie.bytes))
    #expect((file.format.mFormatID, Int(file.format.mFramesPerPacket)) == (id, frames))
    #expect(file.packetInfo?.primingFrames == frames)
    #expect(file.frameCount == 3 * frames - 20)
    let plain = CompressedFormat.of(kAudioFormatMPEG4AAC)
    #expect(CompressedFormat.of(id)?.canDecode == plain?.canDecode)
  }

  @Test("of HE-AAC begin and end where the text of the encoder says, in frames of the core")
  func extendedGapless() throws {
    let config: [UInt8] = [0x2B, 0x8A, 0x08, 0x00]
    var movie = TestMovie(type: "mp4a", channels: 1)
    movie.extras = TestMovie.descriptor(0x40, config)
    movie.sizes = (0..<20).map { 100 + $0 }
    movie.sound = [UInt8](repeating: 0, count: movie.sizes.reduce(0, +))
    (movie.duration, movie.timescale) = (1_024, 22_050)
    for scale in [1, 2] {
      movie.item = TestMovie.gapless(
        2_048 * scale, 427 * scale, (20 * 1_024 - 2_048 - 427) * scale)
      let file = try Containers.open(MemoryStore(movie.bytes))
      #expect(file.format.mFormatID == kAudioFormatMPEG4AAC_HE)
      #expect(file.packetFrameCount == 40_960)
      #expect(
        file.packetInfo
          == Container.PacketInfo(
            validFrames: 36_010, primingFrames: 4_096, remainderFrames: 854))
    }
    // Plain AAC has no core of another rate.
    movie.extras = TestMovie.descriptor(0x40, [0x13, 0x88])
    movie.item = TestMovie.gapless(1_024, 0, 9 * 1_024)
    #expect(try Containers.open(MemoryStore(movie.bytes)).frameCount == 20 * 1_024)
  }

  @Test("of MPEG Layer II in MPEG-4 are told from Layer III", arguments: [44_100, 22_050])
  func layerTwo(rate: UInt32) throws {
    // Without bit allocation a frame is silence.
    let head: [UInt8] = rate == 44_100 ? [0xFF, 0xFD, 0x80, 0xC4] : [0xFF, 0xF5, 0x80, 0xC4]
    let size = try #require(MPEGFrame(ByteFields(head, isBigEndian: true))).byteCount
    // Some writers state two channels, whatever there are.
    var movie = TestMovie(type: "mp4a", channels: 2, rate: rate)
    movie.extras = TestMovie.descriptor(0x6B, [])
    movie.sizes = [Int](repeating: size, count: 6)
    movie.sound = (0..<6).flatMap { _ in head + [UInt8](repeating: 0, count: size - 4) }
    (movie.duration, movie.timescale) = (1_152, rate)
    let file = try Containers.open(MemoryStore(movie.bytes))
    #expect(file.format.mFormatID == kAudioFormatMPEGLayer2)
    #expect(file.format.mChannelsPerFrame == 1)
    #expect((file.format.mFramesPerPacket, file.frameCount) == (1_152, 6 * 1_152))
    let found = try Recording.read(try save(movie.bytes, "a.mp4"))
    #expect(found == [Float](repeating: 0, count: 6 * 1_152))
  }

  @Test(
    "of AC-3 in MPEG-4 have the channels of its own box",
    arguments: [
      ("ac-3", "dac3", [0x10, 0x3C, 0], kAudioFormatAC3, 6),
      ("ac-3", "dac3", [0x10, 0x08, 0], kAudioFormatAC3, 1),
      ("ec-3", "dec3", [0, 0, 0x20, 0x0F, 0], kAudioFormatEnhancedAC3, 6),
      ("ec-3", "dec3", [0, 0, 0x20, 0x02, 0], kAudioFormatEnhancedAC3, 1),
      ("ec-3", "dec3", [0, 0], kAudioFormatEnhancedAC3, 2),
    ] as [(ChunkCode, ChunkCode, [UInt8], AudioFormatID, UInt32)])
  func dolby(
    type: ChunkCode, box: ChunkCode, content: [UInt8], id: AudioFormatID, channels: UInt32
  ) throws {
    // The entry says two, whatever there are.
    var movie = TestMovie(type: type, channels: 2)
    var extras = ByteBuilder(isBigEndian: true)
    extras.box(box) { $0.append(content) }
    movie.extras = extras.bytes
    movie.sizes = [100, 100]
    movie.sound = [UInt8](repeating: 0, count: 200)
    movie.duration = 1_536
    let file = try Containers.open(MemoryStore(movie.bytes))
    #expect((file.format.mFormatID, file.format.mFramesPerPacket) == (id, 1_536))
    #expect(file.format.mChannelsPerFrame == channels)
    #expect(file.layout == WaveLayout.native(Int(channels)))
  }

  // MARK: The last packet

  @Test("in fragments end where the last one says", arguments: [300, 1_024, 5_000])
  func fragments(last: UInt32) throws {
    let path = folder.path("a.caf")
    let recording = Recording(kAudioFileCAFType, kAudioFormatMPEG4AAC, 44_100, 1)
    try recording.write(path, 20_011)
    let source = try Containers.open(FileStore(path))
    let packets = try #require(source.packets)
    let store = MemoryStore()
    let made = try Containers.create(store, kAudioFileM4AType, source.format)
    try made.setCookie(source.cookie)
    for index in 0..<packets.count {
      if index + 1 == packets.count { try made.flush() }
      let packet = try source.store.bytes(at: packets.offset(index), packets.size(index))
      try packet.withUnsafeBufferPointer { packet throws(AudioError) in
        try made.appendPackets(
          [.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))],
          from: UnsafeRawBufferPointer(packet))
      }
    }
    try made.flush()
    var bytes = store.bytes
    let heads = bytes.indices.dropLast(16).filter {
      Array(bytes[$0..<$0 + 4]) == WaveBytes.text("tfhd")
    }
    try #require(heads.count == 2)
    bytes.replaceSubrange(heads[1] + 12..<heads[1] + 16, with: number(last))
    let all = packets.count * 1_024
    let file = try Containers.open(MemoryStore(bytes))
    #expect(file.frameCount == all - 1_024 + min(1_024, Int(last)))
    #expect(try Recording.read(try save(bytes, "a.m4a")).count == file.frameCount)
    // Durations in a coarse unit say nothing about the last packet.
    bytes.replaceSubrange(heads[0] + 12..<heads[0] + 16, with: number(UInt32(1_014)))
    #expect(try Containers.open(MemoryStore(bytes)).frameCount == all)
  }

  @Test(
    "of lossless sound in CAF end where the last packet does, whatever the table says",
    arguments: [kAudioFormatAppleLossless, kAudioFormatFLAC])
  func losslessLength(id: AudioFormatID) throws {
    let recording = Recording(kAudioFileCAFType, id, flags: 1)
    let path = folder.path("a.caf")
    try recording.write(path, 30_011)
    let source = try Containers.open(FileStore(path))
    #expect(source.frameCount == 30_011)
    let packets = try #require(source.packets)
    func size(_ number: Int) -> [UInt8] {
      [UInt8(number >> 14 | 0x80), UInt8(number >> 7 & 127 | 0x80), UInt8(number & 127)]
    }
    let sound = try source.store.bytes(at: packets.offset(0), packets.byteCount)
    let entries = (0..<packets.count).flatMap { size(packets.size($0)) }
    let isFLAC = id == kAudioFormatFLAC
    let usual = packets.frames(0)
    // Writers state a whole last packet; one divides the length by the number of packets, ends FLAC
    // with a packet that has no bytes, and does not always know a length.
    for frames in isFLAC ? [usual, 4_287, 0x5555_5556] : [usual] {
      let bytes = caf(
        id, rate: 44_100, channels: 2, bytes: 0, frames: frames,
        table: (packets.count + 1, (packets.count + 1) * frames, entries + [0]),
        cookie: source.cookie, sound: sound)
      let file = try Containers.open(MemoryStore(bytes))
      #expect(file.packetCount == packets.count)
      #expect(Int(file.format.mFramesPerPacket) == usual)
      #expect(file.frameCount == 30_011)
      let odd = try save(bytes, "odd.caf")
      let found = try Recording.read(odd)
      try #require(found == (try Recording.read(path)))
      #expect(try Recording.read(odd, from: 21_645) == Array(found[(2 * 21_645)...]))
    }
    // A table that ends before is right.
    let bytes = caf(
      id, rate: 44_100, channels: 2, bytes: 0, frames: usual,
      table: (packets.count, 29_000, entries), cookie: source.cookie, sound: sound)
    #expect(try Containers.open(MemoryStore(bytes)).frameCount == 29_000)
  }

  // MARK: Headers

  @Test("of WAV without the size of a frame have that of their samples", arguments: [16, 24])
  func noBlockSize(bits: UInt16) throws {
    let bytes = WaveBytes.riff(
      WaveBytes.format(tag: 1, channels: 2, bits: bits, bytes: 0),
      WaveBytes.chunk("data", [UInt8](repeating: 0, count: 1_200)))
    let file = try Containers.open(MemoryStore(bytes))
    #expect(file.format.mBytesPerPacket == UInt32(bits) / 4)
    #expect(file.frameCount == 4_800 / Int(bits))
  }

  @Test("whose chunks lack the byte after an odd size are read to the end")
  func noPadding() throws {
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      WaveBytes.text(name) + WaveBytes.number(UInt32(body.count)) + body
    }
    let texts = WaveBytes.text("INFO") + WaveBytes.chunk("INAM", WaveBytes.text("name"))
    let bytes = WaveBytes.riff(
      WaveBytes.format(tag: 1, bits: 8), chunk("note", [1, 2, 3]),
      chunk("data", [UInt8](repeating: 128, count: 501)), chunk("LIST", texts))
    let file = try Containers.open(MemoryStore(bytes))
    #expect(file.frameCount == 501)
    #expect(try file.info["title"] == "name")
    let log = try StreamLog(hint: kAudioFileWAVEType)
    try log.parse(bytes, { 7 })
    #expect(log.bytes.count == 501)
  }

  @Test("that are tar archives are named so")
  func archive() throws {
    var bytes = WaveBytes.text("sound.mp3") + [UInt8](repeating: 0, count: 503)
    bytes.replaceSubrange(257..<262, with: WaveBytes.text("ustar"))
    let error = #expect(throws: AudioError.self) {
      try Containers.open(MemoryStore(bytes + [UInt8](repeating: 0x55, count: 2_000)))
    }
    #expect(error?.explanation.contains("is a tar archive") ?? false)
  }
}
