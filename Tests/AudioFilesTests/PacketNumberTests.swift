// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// Absurd numbers in compressed files, or from programs that write them, are refused or limited;
/// damaged files take a time in proportion to their bytes.
@Suite("Absurd numbers of packets")
struct PacketNumberTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func format(
    _ id: AudioFormatID, _ rate: Double, framesPerPacket: UInt32
  ) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mFormatID = id
    format.mSampleRate = rate
    format.mChannelsPerFrame = 2
    format.mFramesPerPacket = framesPerPacket
    return format
  }

  private func append(_ packet: [UInt8], frames: UInt32 = 0, to file: Container) throws {
    let description = AudioStreamPacketDescription(
      mStartOffset: 0, mVariableFramesInPacket: frames, mDataByteSize: UInt32(packet.count))
    try packet.withUnsafeBytes { try file.appendPackets([description], from: $0) }
  }

  // MARK: Writing

  @Test(
    "a tempo is clipped to 16 bits, and left out if it is no number",
    arguments: [
      ("120", "120"), ("-3", "0"), ("1e300", "65535"), ("inf", nil), ("nan", nil), ("fast", nil),
    ] as [(String, String?)])
  func tempo(text: String, expected: String?) throws {
    let store = MemoryStore()
    let file = try Containers.create(
      store, kAudioFileM4AType, format(kAudioFormatMPEG4AAC, 44_100, framesPerPacket: 1_024))
    try file.setInfo(["tempo": text])
    try append([1, 2, 3], to: file)
    try file.close()
    let info = try Containers.open(MemoryStore(store.bytes)).info
    #expect(info["tempo"] == expected)
  }

  @Test("a packet that is too long for the time units of an M4A file is refused")
  func duration() throws {
    let long = format(kAudioFormatOpus, 8_000, framesPerPacket: .max)
    #expect(throws: AudioError.self) {
      _ = try Containers.create(MemoryStore(), kAudioFileM4AType, long)
    }
    let tiny = format(kAudioFormatOpus, 1e-300, framesPerPacket: 960)
    #expect(throws: AudioError.self) {
      _ = try Containers.create(MemoryStore(), kAudioFileM4AType, tiny)
    }
    let store = MemoryStore()
    let file = try Containers.create(
      store, kAudioFileM4AType, format(kAudioFormatFLAC, 48_000, framesPerPacket: 0))
    let word = UInt64(48_000) << 44 | 1 << 41 | 15 << 36
    try file.setCookie(
      [16, 0, 32, 0, 0, 0, 0, 0, 0, 0] + number(word) + [UInt8](repeating: 0, count: 16))
    try append([1, 2], frames: .max, to: file)
    try file.close()
    let copy = try Containers.open(MemoryStore(store.bytes))
    #expect(copy.packetCount == 1)
  }

  @Test(
    "absurd numbers of valid and priming frames are limited when a file is closed",
    arguments: Recording.all.filter { $0.type != kAudioFileCAFType })
  func packetInfo(recording: Recording) throws {
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, 10_000) { file in
      _ = try? file.setPacketInfo(
        .init(validFrames: .max, primingFrames: .max, remainderFrames: .max))
    } after: { file in
      _ = try? file.setPacketInfo(
        .init(validFrames: .max, primingFrames: 4_000_000, remainderFrames: .max))
    }
    let copy = try Containers.open(FileStore(path))
    #expect(copy.frameCount <= copy.packetFrameCount)
  }

  // MARK: Reading

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(UInt32(content.count + 8)) + Array(type.utf8) + content
  }

  private func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// An MPEG-4 file with a sample description of version 2, and `count` samples of one byte.
  private func movie(
    _ type: String, channels: UInt32, bits: UInt32, rate: Double = 44_100, count: UInt32 = 16
  ) -> [UInt8] {
    var entry = [UInt8](repeating: 0, count: 6) + number(UInt16(1)) + number(UInt16(2))
    entry += [UInt8](repeating: 0, count: 18) + number(UInt32(72)) + number(rate.bitPattern)
    entry += number(channels) + number(UInt32(0x7F00_0000)) + number(bits) + number(UInt32(12))
    entry += number(UInt32(0)) + number(UInt32(1))
    let zero = number(UInt32(0))
    let one = number(UInt32(1))
    var table = box("stsd", zero + one + box(type, entry))
    table += box("stts", zero + one + number(count) + one)
    table += box("stsc", zero + one + one + number(count) + one)
    table += box("stsz", zero + one + number(count)) + box("stco", zero + one + number(UInt32(24)))
    let head = [UInt8](repeating: 0, count: 12) + number(UInt32(44_100)) + number(count)
    let handler = [UInt8](repeating: 0, count: 8) + Array("soun".utf8) + zero
    let media = box("mdhd", head + zero) + box("hdlr", handler) + box("minf", box("stbl", table))
    let sound = box("mdat", [UInt8](repeating: 0, count: 64))
    return box("ftyp", Array("M4A ".utf8) + zero) + sound
      + box("moov", box("trak", box("mdia", media)))
  }

  @Test(
    "absurd channels, bits and rates of a sample description are refused",
    arguments: [
      ("lpcm", .max, 16, 44_100), ("lpcm", 2, .max, 44_100), ("lpcm", 2, 0, 44_100),
      ("ima4", .max, 16, 44_100), ("ulaw", .max, 16, 44_100), ("lpcm", 2, 16, .nan),
      ("lpcm", 2, 16, .infinity), ("fpcm", 0, 32, 1e300),
    ] as [(String, UInt32, UInt32, Double)])
  func description(type: String, channels: UInt32, bits: UInt32, rate: Double) {
    #expect(throws: AudioError.self) {
      _ = try Containers.open(MemoryStore(movie(type, channels: channels, bits: bits, rate: rate)))
    }
  }

  @Test("billions of samples that a few bytes claim take no time, in files and in streams")
  func claims() throws {
    let bytes = movie("abcd", channels: 2, bits: 16, count: .max)
    let start = ContinuousClock.now
    let file = try Containers.open(MemoryStore(bytes))
    #expect(file.packetCount <= bytes.count)
    let linear = try Containers.open(
      MemoryStore(movie("lpcm", channels: 1_024, bits: 64, count: .max)))
    #expect(linear.dataByteCount <= bytes.count)
    let log = try StreamLog()
    try? log.parse(bytes) { 100 }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("a joined Ogg stream without sound is no part to seek to", arguments: [true, false])
  func emptyLink(isLast: Bool) throws {
    let opus = try #require(Recording.all.first { $0.type == kAudioFileOggType })
    let (sound, silence) = (folder.path("one.opus"), folder.path("two.opus"))
    try opus.write(sound, 9_000)
    try opus.write(silence, 0)
    let parts = try [sound, silence].map { try FileStore($0).bytes(at: 0, 1 << 20) }
    let joined = folder.path("joined.opus")
    try FileStore(creating: joined, erases: true).write(
      isLast ? parts[0] + parts[1] : parts[1] + parts[0], at: 0)
    let expected = try Recording.read(sound)
    let samples = try Recording.read(joined)
    #expect(samples == expected)
    let end = try Recording.read(joined, from: 9_000)
    #expect(end.isEmpty)
  }

  // MARK: Time

  /// The bytes of a recording, followed by a megabyte of `pattern`.
  private func damaged(_ recording: Recording, _ pattern: ([UInt8]) -> [UInt8]) throws -> [UInt8] {
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, 4_800)
    let bytes = try FileStore(path).bytes(at: 0, 1 << 20)
    let pattern = pattern(bytes)
    return bytes + (0..<(1 << 20) / pattern.count).flatMap { _ in pattern }
  }

  private func time(_ bytes: [UInt8]) throws -> Duration {
    let start = ContinuousClock.now
    _ = try? Containers.open(MemoryStore(bytes))
    let log = try StreamLog()
    try? log.parse(bytes) { 1_000 }
    return ContinuousClock.now - start
  }

  @Test("false page headers that overlap, and false frame headers, take no time")
  func falseHeaders() throws {
    let kinds = [
      kAudioFileM4AType, kAudioFileOggType, kAudioFileFLACType, kAudioFileMP3Type,
      kAudioFileAAC_ADTSType,
    ]
    for recording in kinds.compactMap({ kind in Recording.all.first { $0.type == kind } }) {
      let bytes = try damaged(recording) { bytes in
        guard recording.type == kAudioFileOggType else { return [0xFF, 0xF8] }
        return Array(bytes[..<26]) + [0xFF]
      }
      let time = try time(bytes)
      #expect(time < .seconds(30), "\(recording.testDescription)")
    }
  }

  @Test("boxes without contents before the movie box take no time in a stream")
  func emptyBoxes() throws {
    let boxes = (0..<1 << 18).flatMap { _ in box("free", []) }
    let bytes = box("ftyp", Array("M4A ".utf8) + number(UInt32(0))) + boxes
    let time = try time(bytes)
    #expect(time < .seconds(30))
  }
}
