// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// Kinds of file, and formats that each can hold.
enum Samples {
  struct Case: Sendable, CustomTestStringConvertible {
    let type: AudioFileTypeID
    let format: AudioStreamBasicDescription
    var testDescription: String {
      "\(ChunkCode(type)) \(StreamFormat.describe(format))"
    }
  }

  static func pcm(
    _ bits: UInt32, _ flags: AudioFormatFlags, rate: Double = 44_100, channels: UInt32 = 2,
    bytes: UInt32? = nil
  ) -> AudioStreamBasicDescription {
    let frame = (bytes ?? bits / 8) * channels
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: flags | (bytes == nil ? kAudioFormatFlagIsPacked : 0), mBytesPerPacket: frame,
      mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: channels,
      mBitsPerChannel: bits, mReserved: 0)
  }

  private static let signed = kAudioFormatFlagIsSignedInteger
  private static let float = kAudioFormatFlagIsFloat
  private static let big = kAudioFormatFlagIsBigEndian

  static let little =
    [pcm(16, signed), pcm(24, signed), pcm(32, signed), pcm(32, float), pcm(64, float)]
  static let bigEndian = [16, 24, 32].map { pcm($0, signed | big) }
  static let bigFloats = [pcm(32, float | big), pcm(64, float | big)]

  static func packed(_ id: AudioFormatID) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mFormatID = id
    format.mSampleRate = 44_100
    format.mChannelsPerFrame = 2
    return format
  }

  static let laws = [packed(kAudioFormatULaw), packed(kAudioFormatALaw)]

  static let all: [Case] = {
    var cases: [Case] = []
    func add(_ types: [AudioFileTypeID], _ formats: [AudioStreamBasicDescription]) {
      for type in types { cases += formats.map { Case(type: type, format: $0) } }
    }
    add(
      [kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type],
      little + laws + [
        pcm(8, 0), pcm(20, signed | kAudioFormatFlagIsAlignedHigh, bytes: 3),
        packed(kAudioFormatDVIIntelIMA),
      ])
    add([kAudioFileAIFFType], bigEndian + [pcm(8, signed)])
    add(
      [kAudioFileAIFCType],
      bigEndian + bigFloats + laws + [
        pcm(8, signed), pcm(8, 0), pcm(16, signed), pcm(24, signed), pcm(32, signed),
        packed(kAudioFormatAppleIMA4),
      ])
    add(
      [kAudioFileCAFType],
      little + bigEndian + bigFloats + laws + [pcm(8, signed), packed(kAudioFormatAppleIMA4)])
    add([kAudioFileNextType], bigEndian + bigFloats + laws + [pcm(8, signed)])
    return cases
  }()

  /// Arbitrary bytes that never form a NaN or an infinity.
  static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(($0 * 37 + $0 / 7) & 0x7E) }
  }
}

@Suite("Containers")
struct ContainerTests {
  @Test("keep format and bytes of every kind", arguments: Samples.all)
  func roundTrip(sample: Samples.Case) throws {
    let store = MemoryStore()
    let file = try Containers.create(store, sample.type, sample.format)
    let bytes = Samples.bytes(Int(file.format.mBytesPerPacket) * 101)
    try bytes.withUnsafeBytes { try file.writeData($0, at: 0) }
    try file.close()
    let copy = try Containers.open(MemoryStore(store.bytes))
    #expect(copy.kind.type == sample.type)
    #expect(copy.format == file.format, "\(copy.format)")
    #expect(copy.packetCount == 101)
    #expect(try copy.store.bytes(at: copy.dataOffset, copy.dataByteCount) == bytes)
  }

  @Test("are opened by their first bytes", arguments: Samples.all)
  func opening(sample: Samples.Case) throws {
    let memory = MemoryStore()
    let file = try Containers.create(memory, sample.type, sample.format)
    let size = Int(file.format.mBytesPerPacket)
    let bytes = Samples.bytes(size * (400_000 / size))
    try bytes.withUnsafeBytes { try file.writeData($0, at: 0) }
    try file.close()
    let store = FailingStore(failing: 0..<0, isSparse: true)
    try memory.bytes.withUnsafeBufferPointer { bytes throws(AudioError) in
      try store.write(UnsafeRawBufferPointer(bytes), at: 0)
    }
    #expect(try Containers.open(store).dataByteCount == bytes.count)
    #expect(store.readByteCount < 20_000)
  }

  @Test("are always valid while they grow", arguments: Samples.all)
  func growth(sample: Samples.Case) throws {
    let store = MemoryStore()
    let file = try Containers.create(store, sample.type, sample.format)
    file.defersSizes = false
    let packet = Samples.bytes(Int(file.format.mBytesPerPacket))
    for count in 0..<5 {
      let copy = try Containers.open(MemoryStore(store.bytes))
      #expect(copy.packetCount == count)
      try packet.withUnsafeBytes { try file.writeData($0, at: count * packet.count) }
    }
  }

  @Test("align their sound to a page on request", arguments: Samples.all)
  func alignment(sample: Samples.Case) throws {
    let file = try Containers.create(
      MemoryStore(), sample.type, sample.format, .init(alignment: 4_096))
    #expect(file.dataOffset % 4_096 == 0 || sample.type == kAudioFileNextType)
  }

  @Test("add and remove chunks before and after the sound", arguments: Samples.all)
  func userData(sample: Samples.Case) throws {
    guard sample.type != kAudioFileNextType else { return }
    let store = MemoryStore()
    let file = try Containers.create(store, sample.type, sample.format, .init(alignment: 256))
    try file.setChunk("abcd", 0, [1, 2, 3])
    let bytes = Samples.bytes(Int(file.format.mBytesPerPacket) * 33)
    try bytes.withUnsafeBytes { try file.writeData($0, at: 0) }
    try file.setChunk("efgh", 0, Array(repeating: 7, count: 1_001))
    try file.setChunk("efgh", 1, [9])
    // The sound grows although chunks follow it.
    try bytes.withUnsafeBytes { try file.writeData($0, at: bytes.count) }
    try file.setChunk("abcd", 0, [4, 5, 6, 7, 8])
    try file.removeChunk("efgh", 0)
    try file.close()
    let copy = try Containers.open(MemoryStore(store.bytes))
    #expect(try copy.store.bytes(at: copy.dataOffset, copy.dataByteCount) == bytes + bytes)
    #expect(copy.chunkCount("abcd") == 1 && copy.chunkCount("efgh") == 1)
    #expect(try copy.chunk("abcd", 0, 0..<10) == [4, 5, 6, 7, 8])
    #expect(try copy.chunk("efgh", 0, 0..<10) == [9])
    #expect(throws: AudioError.self) { try copy.chunkByteCount("none", 0) }
  }

  @Test("move chunks in front of the sound", arguments: Samples.all)
  func optimize(sample: Samples.Case) throws {
    guard sample.type != kAudioFileNextType else { return }
    let store = MemoryStore()
    let file = try Containers.create(store, sample.type, sample.format)
    let bytes = Samples.bytes(Int(file.format.mBytesPerPacket) * 77)
    try bytes.withUnsafeBytes { try file.writeData($0, at: 0) }
    try file.setChunk("abcd", 0, [1, 2, 3])
    #expect(!file.isOptimized)
    try file.optimize()
    #expect(file.isOptimized)
    try file.close()
    let copy = try Containers.open(MemoryStore(store.bytes))
    #expect(copy.isOptimized)
    #expect(try copy.chunk("abcd", 0, 0..<3) == [1, 2, 3])
    #expect(try copy.store.bytes(at: copy.dataOffset, copy.dataByteCount) == bytes)
  }

  private static let tagged: [AudioFileTypeID] = [
    kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileAIFFType, kAudioFileAIFCType,
    kAudioFileCAFType,
  ]

  private func made(_ type: AudioFileTypeID) throws -> (Container, MemoryStore) {
    let isBig = type == kAudioFileAIFFType || type == kAudioFileAIFCType
    let flags = kAudioFormatFlagIsSignedInteger | (isBig ? kAudioFormatFlagIsBigEndian : 0)
    let store = MemoryStore()
    let file = try Containers.create(store, type, Samples.pcm(16, flags))
    let bytes = Samples.bytes(4_000)
    try bytes.withUnsafeBytes { try file.writeData($0, at: 0) }
    return (file, store)
  }

  @Test("keep texts", arguments: tagged)
  func texts(type: AudioFileTypeID) throws {
    let (file, store) = try made(type)
    let info = [
      "title": "A tone", "artist": "Zoë", "comments": "odd", "copyright": "2026", "album": "Été",
    ]
    try file.setInfo(info)
    try file.close()
    #expect(try Containers.open(MemoryStore(store.bytes)).info == info)
  }

  @Test("keep markers and their names", arguments: tagged)
  func markers(type: AudioFileTypeID) throws {
    let (file, store) = try made(type)
    let markers = [
      Marker(frame: 10, name: "one", id: 1), Marker(frame: 999, name: "second", id: 2),
    ]
    try file.setMarkers(markers)
    try file.close()
    #expect(try Containers.open(MemoryStore(store.bytes)).markers == markers)
  }

  @Test("keep loops", arguments: tagged)
  func regions(type: AudioFileTypeID) throws {
    let (file, store) = try made(type)
    let loop = WaveMarkers.region(1, "sustain", [.loopEnable, .playForward], 100, 500)
    try file.setRegions([loop])
    try file.close()
    let copy = try Containers.open(MemoryStore(store.bytes))
    let found = try #require(try copy.regions.first)
    #expect(found.flags == [.loopEnable, .playForward] && found.name == "sustain")
    #expect(found.markers.map(\.frame) == [100, 500])
  }

  @Test("keep a picture beside texts", arguments: [kAudioFileWAVEType, kAudioFileAIFFType])
  func picture(type: AudioFileTypeID) throws {
    let (file, store) = try made(type)
    let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0, 1, 2, 0, 0, 3]
    try file.setArtwork(picture)
    try file.setInfo(["title": "T", "tempo": "120"])
    try file.close()
    let copy = try Containers.open(MemoryStore(store.bytes))
    #expect(try copy.artwork == picture)
    #expect(try copy.info["tempo"] == "120")
  }

  @Test(
    "keep channel layouts", arguments: [kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileCAFType])
  func layouts(type: AudioFileTypeID) throws {
    let isBig = type == kAudioFileAIFFType
    let flags = kAudioFormatFlagIsSignedInteger | (isBig ? kAudioFormatFlagIsBigEndian : 0)
    let store = MemoryStore()
    let file = try Containers.create(store, type, Samples.pcm(16, flags, channels: 6))
    let layout = WaveLayout.bytes(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
    try file.setLayout(layout)
    try Samples.bytes(120).withUnsafeBytes { try file.writeData($0, at: 0) }
    try file.close()
    #expect(try Containers.open(MemoryStore(store.bytes)).layout == layout)
    #expect(throws: AudioError.self) {
      try file.setLayout(WaveLayout.bytes(tag: kAudioChannelLayoutTag_Stereo))
    }
  }

  @Test("keep packets of different sizes in CAF, and their positions")
  func packetTable() throws {
    var format = Samples.packed(kAudioFormatMPEG4AAC)
    format.mFramesPerPacket = 1_024
    let store = MemoryStore()
    let file = try Containers.create(store, kAudioFileCAFType, format)
    let sizes = [3, 200, 0, 17_000, 1]
    let bytes = Samples.bytes(sizes.reduce(0, +))
    var start = 0
    let descriptions = sizes.map { size in
      defer { start += size }
      return AudioStreamPacketDescription(
        mStartOffset: Int64(start), mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
    }
    try file.setCookie([1, 2, 3, 4])
    try bytes.withUnsafeBytes { try file.appendPackets(descriptions, from: $0) }
    try file.setPacketInfo(.init(validFrames: 3_000, primingFrames: 2_112, remainderFrames: 8))
    try file.close()
    let copy = try Containers.open(MemoryStore(store.bytes))
    #expect(copy.cookie == [1, 2, 3, 4])
    #expect(copy.packetInfo == file.packetInfo)
    let table = try #require(copy.packets)
    #expect((0..<table.count).map { table.size($0) } == sizes)
    #expect(table.frameCount == 5 * 1_024 && table.maximumSize == 17_000)
    #expect(table.packet(at: 2_048) == 2 && table.start(2) == 2_048)
    #expect(try copy.store.bytes(at: table.offset(0), bytes.count) == bytes)
  }

  @Test("report what is wrong with a file that is truncated anywhere", arguments: Samples.all)
  func prefixes(sample: Samples.Case) throws {
    let store = MemoryStore(named: "broken.snd")
    let file = try Containers.create(store, sample.type, sample.format)
    let bytes = Samples.bytes(Int(file.format.mBytesPerPacket) * 3)
    try bytes.withUnsafeBytes { try file.writeData($0, at: 0) }
    if sample.type != kAudioFileNextType { try file.setInfo(["title": "T"]) }
    try file.close()
    for count in 0..<store.bytes.count {
      let part = MemoryStore(Array(store.bytes.prefix(count)), named: "broken.snd")
      let text = explanation {
        let copy = try Containers.open(part)
        #expect(copy.dataByteCount <= count)
        _ = try copy.info
        _ = try copy.markers
      }
      #expect(text.isEmpty || text.hasPrefix("broken.snd: "), "\(count): \(text)")
    }
  }

  @Test("survive damage of every kind", arguments: Samples.all)
  func mutationFuzz(sample: Samples.Case) throws {
    let store = MemoryStore()
    let file = try Containers.create(store, sample.type, sample.format)
    let bytes = Samples.bytes(Int(file.format.mBytesPerPacket) * 3)
    try bytes.withUnsafeBytes { try file.writeData($0, at: 0) }
    if sample.type != kAudioFileNextType {
      try file.setInfo(["title": "T"])
      try file.setChunk("abcd", 0, [1, 2, 3])
      if sample.type != kAudioFileAIFFType {
        try file.setMarkers([Marker(frame: 1, name: "one", id: 1)])
      }
    }
    try file.close()
    var random = Random(state: UInt64(sample.type) + UInt64(sample.format.mBitsPerChannel))
    let setting = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"]
    let rounds = setting.flatMap { Int($0) } ?? 300
    for _ in 0..<rounds {
      var bytes = store.bytes
      for _ in 0...random.next(6) {
        let position = random.next(bytes.count)
        switch random.next(5) {
        case 0: bytes[position] = UInt8(random.next(256))
        case 1: bytes[position] ^= 1 << UInt8(random.next(8))
        case 2: bytes[position] = [0, 0xFF, 0x7F, 0x80][random.next(4)]
        case 3: bytes.removeSubrange(position..<min(position + random.next(9), bytes.count - 1))
        default:
          bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF].prefix(random.next(5)), at: position)
        }
      }
      guard let copy = try? Containers.open(MemoryStore(bytes)) else { continue }
      #expect(copy.dataByteCount <= bytes.count)
      _ = try? copy.info
      _ = try? copy.markers
      _ = try? copy.regions
      _ = try? copy.artwork
      _ = copy.frameCount
      _ = try? copy.setInfo(["title": "Another"])
      _ = try? copy.setChunk("abcd", 0, [1, 2, 3, 4])
      _ = try? copy.close()
    }
  }

  @Test("open a sparse file of a hundred gigabytes without reading it")
  func sparse() throws {
    let file = ScratchFile()
    let store = try FileStore(creating: file.path, erases: true)
    let rf64 = try Containers.create(
      store, kAudioFileRF64Type, Samples.pcm(32, kAudioFormatFlagIsFloat))
    try store.resize(to: 100_000_000_000)
    try [UInt8](repeating: 1, count: 8).withUnsafeBytes {
      try rf64.writeData($0, at: 99_999_999_992 - 88 - 92)
    }
    try rf64.close()
    let copy = try Containers.open(FileStore(file.path))
    #expect(copy.frameCount > 12_000_000_000)
  }
}
