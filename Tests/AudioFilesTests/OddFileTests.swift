// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Files as recorders and encoders leave them")
struct OddFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func bytes(_ recording: Recording, _ frames: Int) throws -> [UInt8] {
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, frames)
    return try FileStore(path).bytes(at: 0, 1 << 24)
  }

  private func first(_ type: AudioFileTypeID) throws -> Recording {
    try #require(Recording.all.first { $0.type == type })
  }

  private func save(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = folder.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  // MARK: Recognition

  @Test("are not found in random bytes, programs and pictures")
  func noSound() throws {
    var seed: UInt32 = 1
    for size in [2_000, 10_000, 100_000] {
      for _ in 0..<(size > 50_000 ? 30 : 100) {
        let bytes = (0..<size).map { _ -> UInt8 in
          seed = seed &* 1_664_525 &+ 1_013_904_223
          return UInt8(truncatingIfNeeded: seed >> 24)
        }
        let error = #expect(throws: AudioError.self) { try Containers.open(MemoryStore(bytes)) }
        #expect(error?.status == kAudioFileUnsupportedFileTypeError)
      }
    }
    let program = try FileStore("/bin/sh").bytes(at: 0, 1 << 20)
    let error = #expect(throws: AudioError.self) { try Containers.open(MemoryStore(program)) }
    #expect(error?.explanation.contains("is a program") ?? false)
  }

  @Test("of a single frame, or two, are sound")
  func shortFiles() throws {
    let whole = try bytes(try first(kAudioFileAAC_ADTSType), 5_000)
    let file = try Containers.open(MemoryStore(whole))
    let table = try #require(file.packets)
    for count in 1...3 {
      let end = table.offset(count - 1) + table.size(count - 1)
      #expect(try Containers.open(MemoryStore(Array(whole[..<end]))).packetCount == count)
    }
    #expect(throws: AudioError.self) {
      try Containers.open(MemoryStore(Array(whole[..<(table.offset(0) + table.size(0) / 2)])))
    }
  }

  @Test("of a free bit rate are refused with a reason")
  func freeBitRate() throws {
    let frame: [UInt8] = [0xFF, 0xFB, 0x00, 0x44] + [UInt8](repeating: 0x55, count: 500)
    let error = #expect(throws: AudioError.self) {
      try Containers.open(MemoryStore((0..<20).flatMap { _ in frame }))
    }
    #expect(error?.status == kAudioFileUnsupportedFileTypeError)
    #expect(error?.explanation.contains("free bit rate") ?? false)
  }

  // MARK: Cut files

  @Test("that are cut have what is there, and say what is missing", arguments: Recording.all)
  func cut(recording: Recording) throws {
    let whole = try bytes(recording, 20_000)
    let complete = try Containers.open(MemoryStore(whole))
    for tenth in 1...9 {
      let part = Array(whole[..<(whole.count * tenth / 10)])
      guard let file = try? Containers.open(MemoryStore(part)) else { continue }
      #expect(file.frameCount <= complete.frameCount, "\(tenth)")
      let path = try save(part, "cut.\(recording.ending)")
      guard let reader = try? SoundFileReader(path: path) else { continue }
      let found = try? Recording.read(path)
      #expect(
        found == nil || found?.count == reader.frameCount * Int(recording.channels), "\(tenth)")
      if [kAudioFileMP3Type, kAudioFileFLACType].contains(recording.type) {
        #expect(reader.declaredFrameCount > reader.frameCount, "\(tenth)")
      }
    }
  }

  @Test("of MPEG audio lack as many frames as their missing packets have")
  func cutMPEG() throws {
    let whole = try bytes(try first(kAudioFileMP3Type), 30_011)
    #expect(try Containers.open(MemoryStore(whole)).frameCount == 30_011)
    let file = try Containers.open(MemoryStore(Array(whole[..<(whole.count * 6 / 10)])))
    #expect(file.frameCount == file.packetCount * 1_152 - 1_105)
  }

  @Test("that were not closed are sound up to their end", arguments: [0, UInt32.max])
  func unclosed(size: UInt32) throws {
    let samples = (0..<500).flatMap { WaveBytes.number(Int16($0 * 60 - 15_000)) }
    let front = WaveBytes.text("RIFF") + WaveBytes.number(size) + WaveBytes.text("WAVE")
    let header =
      front + WaveBytes.format(tag: 1, bits: 16) + WaveBytes.text("data") + WaveBytes.number(size)
    let file = try Containers.open(MemoryStore(header + samples))
    #expect(file.frameCount == 500)
    #expect(file.isUnclosed)
    let log = try StreamLog(hint: kAudioFileWAVEType)
    try log.parse(header + samples, { 100 })
    #expect(log.bytes == samples)
  }

  @Test("without a sample are not taken for unclosed ones")
  func empty() throws {
    let file = try Containers.open(
      MemoryStore(
        WaveBytes.riff(
          WaveBytes.format(tag: 1, bits: 16), WaveBytes.chunk("data", []),
          WaveBytes.chunk("LIST", WaveBytes.text("INFO")))))
    #expect(file.frameCount == 0)
    #expect(!file.isUnclosed)
  }

  // MARK: WAV and its relatives

  @Test("of RF64 have the sizes of ds64", arguments: [0, 1, 2])
  func largeSizes(kind: Int) throws {
    let samples = (0..<1_001).flatMap { WaveBytes.number(Int32($0)) }
    let cue = WaveBytes.number(UInt32(0))
    var ds64 = [4_200, samples.count, 1_001].flatMap { WaveBytes.number(UInt64($0)) }
    ds64 += WaveBytes.number(UInt32(kind == 2 ? 1 : 0))
    if kind == 2 { ds64 += WaveBytes.text("cue ") + WaveBytes.number(UInt64(cue.count)) }
    var bytes = WaveBytes.text("RF64") + WaveBytes.number(UInt32.max) + WaveBytes.text("WAVE")
    bytes += WaveBytes.chunk("ds64", ds64) + WaveBytes.format(tag: 1, channels: 2, bits: 16)
    if kind == 2 { bytes += WaveBytes.text("cue ") + WaveBytes.number(UInt32.max) + cue }
    bytes += WaveBytes.text("data") + WaveBytes.number(kind == 1 ? UInt32(0xFF_FFFF) : .max)
    let file = try Containers.open(
      MemoryStore(bytes + samples + WaveBytes.chunk("iXML", WaveBytes.text("<B></B> "))))
    #expect(file.frameCount == 1_001)
    #expect(file.declaredDataByteCount == samples.count)
  }

  @Test("of RIFX are big-endian")
  func bigEndian() throws {
    func number(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
    let format =
      number(UInt16(1)) + number(UInt16(1)) + number(UInt32(48_000)) + number(UInt32(96_000))
    let samples = [100, -200, 300].flatMap { number(Int16($0)) }
    let title = WaveBytes.text("INFOINAM") + number(UInt32(4)) + WaveBytes.text("abc\0")
    let body =
      WaveBytes.text("WAVEfmt ") + number(UInt32(16)) + format + number(UInt16(2))
      + number(UInt16(16))
      + WaveBytes.text("LIST") + number(UInt32(title.count)) + title
      + WaveBytes.text("data") + number(UInt32(6)) + samples
    let bytes = WaveBytes.text("RIFX") + number(UInt32(body.count)) + body
    let path = try save(bytes, "a.wav")
    #expect(try Recording.read(path) == [100, -200, 300].map { Float($0) / 32_768 })
    #expect(try Containers.open(MemoryStore(bytes)).info["title"] == "abc")
  }

  @Test("of MPEG audio in WAV have its packets and frames", arguments: [true, false])
  func mpegInWave(hasFact: Bool) throws {
    let whole = try bytes(try first(kAudioFileMP3Type), 30_011)
    let file = try Containers.open(MemoryStore(whole))
    let frames = Array(whole[file.dataOffset...])
    var bytes = WaveBytes.chunk(
      "fmt ",
      WaveBytes.number(UInt16(0x55)) + WaveBytes.number(UInt16(2))
        + WaveBytes.number(UInt32(44_100))
        + WaveBytes.number(UInt32(16_000)) + WaveBytes.number(UInt16(1))
        + WaveBytes.number(UInt16(0)))
    if hasFact { bytes += WaveBytes.chunk("fact", WaveBytes.number(UInt32(30_011))) }
    bytes += WaveBytes.chunk("data", frames)
    let path = try save(WaveBytes.riff(bytes), "mp3.wav")
    let made = try Containers.open(FileStore(path))
    #expect(made.packetCount == file.packetCount)
    #expect(made.frameCount == (hasFact ? 30_011 : made.packetCount * 1_152))
    let sound = try Recording.read(path)
    #expect(sound.count == made.frameCount * 2)
    if hasFact { #expect(sound == (try Recording.read(folder.path("a.mp3")))) }
  }

  @Test("of MPEG audio in WAV that are cut begin where the whole ones do, and say what is missing")
  func cutMPEGInWave() throws {
    let whole = try bytes(try first(kAudioFileMP3Type), 30_011)
    let file = try Containers.open(MemoryStore(whole))
    let frames = Array(whole[file.dataOffset...])
    func wave(_ fact: Int?, _ sound: [UInt8]) -> [UInt8] {
      var bytes = WaveBytes.chunk(
        "fmt ",
        WaveBytes.number(UInt16(0x55)) + WaveBytes.number(UInt16(2))
          + WaveBytes.number(UInt32(44_100))
          + WaveBytes.number(UInt32(16_000)) + WaveBytes.number(UInt16(1))
          + WaveBytes.number(UInt16(0)))
      if let fact { bytes += WaveBytes.chunk("fact", WaveBytes.number(UInt32(fact))) }
      return WaveBytes.riff(bytes + WaveBytes.chunk("data", sound))
    }
    let sound = try Recording.read(try save(wave(30_011, frames), "whole.wav"))
    for tenth in [3, 6, 9] {
      let all = wave(30_011, frames)
      let cut = Array(all[..<(all.count * tenth / 10)])
      let made = try Containers.open(MemoryStore(cut))
      #expect(made.packetInfo?.primingFrames == 1_105)
      #expect(made.frameCount == made.packetCount * 1_152 - 1_105)
      #expect(made.declaredFrameCount == 30_011)
      let found = try Recording.read(try save(cut, "cut.wav"))
      #expect(found.count == made.frameCount * 2)
      #expect(found.dropLast(2 * 1_152) == sound[..<(found.count - 2 * 1_152)])
    }
    // A length of whole packets, or none, says that the sound begins with the first packet.
    for fact in [file.packetCount * 1_152, nil, Int(UInt32.max) - 1] {
      let all = wave(fact, frames)
      let made = try Containers.open(MemoryStore(Array(all[..<(all.count / 2)])))
      #expect(made.frameCount == made.packetCount * 1_152 - (fact ?? 0 > 1 << 30 ? 1_105 : 0))
      #expect(made.endsEarly)
      #expect(SoundFileCondition(of: made).warning?.contains("is cut short") ?? false)
    }
    // The table of frames counts, too.
    let all = wave(nil, whole)
    let made = try Containers.open(MemoryStore(Array(all[..<(all.count / 2)])))
    #expect(made.frameCount == made.packetCount * 1_152 - 1_105)
    #expect(made.declaredFrameCount > made.frameCount)
  }

  @Test("of ADPCM are decoded")
  func adpcm() throws {
    // A block of Microsoft ADPCM: predictor 0, delta 16, samples 200 and 100, then nibbles of 0,
    // whose prediction is the sample before.
    let head: [UInt8] = [0] + WaveBytes.number(Int16(16)) + WaveBytes.number(Int16(200))
    let block = head + WaveBytes.number(Int16(100)) + [UInt8](repeating: 0, count: 25)
    let format = WaveBytes.chunk(
      "fmt ",
      WaveBytes.number(UInt16(2)) + WaveBytes.number(UInt16(1)) + WaveBytes.number(UInt32(8_000))
        + WaveBytes.number(UInt32(4_000)) + WaveBytes.number(UInt16(32))
        + WaveBytes.number(UInt16(4)))
    let path = try save(
      WaveBytes.riff(format, WaveBytes.chunk("data", block + block + block)), "ms.wav")
    let found = try Recording.read(path)
    #expect(found.count == 3 * 52)
    let one: [Float] = [100] + [Float](repeating: 200, count: 51)
    #expect(found == (one + one + one).map { $0 / 32_768 })
  }

  @Test("of CAF begin behind the priming frames of their table, for linear PCM, too")
  func primedPCM() throws {
    func number(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
    let texts = { WaveBytes.text($0) }
    var bytes = texts("caff") + [0, 1, 0, 0] + texts("desc") + number(UInt64(32))
    bytes += number((44_100.0).bitPattern) + texts("lpcm")
    for value: UInt32 in [1, 4, 1, 1, 32] { bytes += number(value) }
    bytes += texts("pakt") + number(UInt64(24)) + number(UInt64(0)) + number(UInt64(901))
    bytes += number(UInt32(60)) + number(UInt32(40))
    bytes += texts("data") + number(UInt64(4 + 4 * 1_001)) + number(UInt32(0))
    for frame in 0..<1_001 { bytes += number((Float(frame) / 1_000).bitPattern) }
    let found = try Recording.read(try save(bytes, "pcm.caf"))
    #expect(found == (60..<961).map { Float($0) / 1_000 })
  }

  // MARK: AAC

  @Test(
    "of AAC whose configuration announces an extension have both layers",
    arguments: [[0x2B, 0x8A, 0x08, 0x00], [0x13, 0x88, 0x56, 0xE5, 0xA0]] as [[UInt8]])
  func extendedAAC(config: [UInt8]) throws {
    let read = try #require(AudioSpecificConfig(config))
    #expect(read.isExtended)
    #expect((read.coreRate, read.rate) == (22_050, 44_100))
    #expect(read.formatID == kAudioFormatMPEG4AAC_HE)
    #expect(read.framesPerPacket == 2_048)
    let recording = Recording(kAudioFileCAFType, kAudioFormatMPEG4AAC, 22_050, 1)
    let path = folder.path("a.caf")
    try recording.write(path, 20_011)
    let file = try Containers.open(FileStore(path))
    let packets = try #require(file.packets)
    // The same packets in a file that announces the extension.
    let store = MemoryStore()
    var format = file.format
    format.mFormatID = kAudioFormatMPEG4AAC_HE
    format.mSampleRate = 44_100
    format.mFramesPerPacket = 2_048
    format.mFormatFlags = 0
    let made = try Containers.create(store, kAudioFileM4AType, format)
    try made.setCookie(MagicCookies.elementaryStream(config, bitRate: 32_000))
    for index in 0..<packets.count {
      let packet = try file.store.bytes(at: packets.offset(index), packets.size(index))
      try packet.withUnsafeBufferPointer { packet throws(AudioError) in
        try made.appendPackets(
          [.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))],
          from: UnsafeRawBufferPointer(packet))
      }
    }
    try made.close()
    let again = try Containers.open(MemoryStore(store.bytes))
    #expect(again.format.mFormatID == kAudioFormatMPEG4AAC_HE)
    #expect(AACLayers.formats(of: again.format).map(\.mSampleRate) == [44_100, 22_050])
    #expect(AACLayers.formats(of: again.format).map(\.mFramesPerPacket) == [2_048, 1_024])
    let sound = try Recording.read(try save(store.bytes, "he.m4a"))
    #expect(sound.count == packets.count * 2_048)
    #expect(sound.contains { abs($0) > 0.1 })
  }

  @Test("of AAC give each packet 1,024 frames, whatever a fill element says of its encoder")
  func encoderName() throws {
    let path = folder.path("a.aac")
    let recording = Recording(kAudioFileAAC_ADTSType, kAudioFormatMPEG4AAC, 44_100, 1)
    try recording.write(path, 20_000)
    let plain = try FileStore(path).bytes(at: 0, 1 << 20)
    let size = Int(plain[3] & 3) << 11 | Int(plain[4]) << 3 | Int(plain[5] >> 5)
    var bits: [UInt8] = []
    func put(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
    }
    put(6, 3)
    put(15, 4)
    put(2, 8)
    put(0, 17)
    for letter in "libfaac 1.24\0".utf8 { put(Int(letter), 8) }
    put(0, 7)
    for byte in plain[7..<size] { put(Int(byte), 8) }
    while bits.count % 8 != 0 { bits.append(0) }
    let body = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 << 1 | bits[start + $1] }
    }
    var head = Array(plain[..<7])
    let length = body.count + 7
    head[3] = head[3] & 0xFC | UInt8(length >> 11)
    head[4] = UInt8(length >> 3 & 255)
    head[5] = head[5] & 31 | UInt8(length & 7) << 5
    let named = try save(head + body + plain[size...], "faac.aac")
    #expect(try Recording.read(named) == Recording.read(path))
  }

  // MARK: Streams

  @Test("of FLAC deliver the last packet with its last byte")
  func lastPacket() throws {
    let whole = try bytes(try first(kAudioFileFLACType), 30_011)
    let count = try Containers.open(MemoryStore(whole)).packetCount
    for size in [1, 500, whole.count] {
      let log = try StreamLog()
      try log.parse(whole, { size }, isEnd: false)
      #expect(log.packetCount == count)
    }
  }

  @Test("of FLAC have frames whose length follows from their bits")
  func frameLengths() throws {
    for recording in Recording.all where recording.type == kAudioFileFLACType {
      let whole = try bytes(recording, 30_011)
      let file = try Containers.open(MemoryStore(whole))
      let table = try #require(file.packets)
      let depth = Int(try #require(file.sourceBitDepth))
      for index in 0..<table.count {
        let (start, size) = (table.offset(index), table.size(index))
        let rest = Array(whole[start...])
        let frame = try #require(
          FLACFrame(ByteFields(Array(rest.prefix(16)), isBigEndian: true)))
        #expect(FLACFrameLength.measure(rest, frame, depth: depth) == .bytes(size))
        let part = Array(rest[..<(size - 1)])
        #expect(FLACFrameLength.measure(part, frame, depth: depth) == .missing)
      }
    }
  }

  @Test("seek to the same estimate, whatever was played before")
  func estimates() throws {
    let whole = try bytes(try first(kAudioFileAAC_ADTSType), 30_011)
    let log = try StreamLog()
    let stream = try #require(log.stream)
    var offsets: Set<Int64> = []
    for round in 0..<4 {
      for start in stride(from: 0, to: whole.count, by: 500) {
        try log.feed(
          whole[start..<min(whole.count, start + 500)], isDiscontinuous: round > 0 && start == 0)
      }
      offsets.insert(try stream.seek(to: 15).offset)
      _ = try stream.seek(to: 0)
    }
    #expect(offsets.count == 1)
  }

  @Test("of NeXT end where their header says")
  func nextEnd() throws {
    func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    let header = WaveBytes.text(".snd") + [24, 100, 3, 44_100, 1].flatMap { number($0) }
    let log = try StreamLog(hint: kAudioFileNextType)
    try log.parse(header + [UInt8](repeating: 1, count: 200), { 30 })
    #expect(log.bytes.count == 100)
  }

  // MARK: Metadata

  @Test("keep the key of an instrument", arguments: ["wav", "aiff", "caf", "w64"])
  func rootKey(ending: String) throws {
    let sampler =
      [0, 0, 22_675, 62, 0x4000_0000, 0, 0, 1, 0].flatMap { WaveBytes.number(UInt32($0)) }
      + [7, 0, 20, 59, 0, 0].flatMap { WaveBytes.number(UInt32($0)) }
    let source = try Containers.open(
      MemoryStore(
        WaveBytes.riff(
          WaveBytes.format(tag: 1, bits: 16),
          WaveBytes.chunk("data", [UInt8](repeating: 0, count: 200)),
          WaveBytes.chunk("smpl", sampler),
          WaveBytes.chunk("inst", [62, 25, 0, 40, 80, 1, 127]),
          WaveBytes.chunk("bext", WaveBytes.text("description")))))
    let metadata = SoundFileMetadata(of: source)
    let path = folder.path("b.\(ending)")
    let kind = try #require(FileKind.of(extension: ending).first)
    var format = source.format
    if ending == "aiff" || ending == "caf" { format.mFormatFlags |= kAudioFormatFlagIsBigEndian }
    let made = try Containers.create(
      FileStore(creating: path, erases: true), kind.type, format)
    try [UInt8](repeating: 0, count: 200).withUnsafeBufferPointer { bytes throws(AudioError) in
      try made.writeData(UnsafeRawBufferPointer(bytes), at: 0)
    }
    try metadata.write(to: made)
    try made.close()
    let again = try Containers.open(FileStore(path))
    let info = try #require(InstrumentInfo(again))
    #expect(info.key == 62)
    #expect(abs(info.cents - 25) < 1)
    #expect(info.keys == 40...80)
    let loop = try #require(try again.regions.first(where: \.isLoop))
    #expect(loop.markers.map(\.frame) == [20, 60])
    #expect((again is WaveContainer) == (again.chunkCount("bext") == 1))
  }
}
