// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Testing

/// Numbers of a program or a file that fit nowhere are refused or limited.
@Suite("Extreme numbers")
struct ExtremeNumberTests {
  private static let positions: [Int64] = [-1, .min, .max, 1 << 62, 1 << 61, .max - 1]

  private func make(_ sample: Samples.Case) throws -> (AudioFileObject, ScratchFolder) {
    let folder = try ScratchFolder()
    let store = try FileStore(creating: folder.path("a"), erases: true)
    let file = try Containers.create(store, sample.type, sample.format)
    let sound = Samples.bytes(Int(file.format.mBytesPerPacket) * 9)
    try sound.withUnsafeBytes { try file.writeData($0, at: 0) }
    return (AudioFileObject(writing: file), folder)
  }

  // MARK: Positions

  @Test("are no positions to write", arguments: HostileFileTests.linear)
  func writing(sample: Samples.Case) throws {
    let (file, folder) = try make(sample)
    let bytes = Samples.bytes(Int(sample.format.mBytesPerPacket))
    try bytes.withUnsafeBytes { bytes in
      let start = try #require(bytes.baseAddress)
      for position in Self.positions {
        var count = UInt32(bytes.count)
        #expect(throws: AudioError.self, "byte \(position)") {
          try file.writeBytes(at: position, &count, from: start)
        }
        #expect(throws: AudioError.self, "packet \(position)") {
          _ = try file.writePackets(from: position, count: 1, bytes, descriptions: nil)
        }
      }
    }
    try file.locked { file throws(AudioError) in try file.close() }
    #expect(try Containers.open(FileStore(folder.path("a"))).packetCount == 9)
  }

  @Test("are no positions to read", arguments: HostileFileTests.linear)
  func reading(sample: Samples.Case) throws {
    let (made, folder) = try make(sample)
    try made.locked { file throws(AudioError) in try file.close() }
    let file = AudioFileObject(reading: try Containers.open(FileStore(folder.path("a"))))
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 8)
    defer { memory.deallocate() }
    let start = try #require(memory.baseAddress)
    for position in Self.positions {
      var count: UInt32 = 100
      #expect(throws: AudioError.self) { try file.readBytes(at: position, &count, into: start) }
      #expect(count == 0)
      #expect(throws: AudioError.self) {
        _ = try file.readPackets(
          from: position, count: 3, into: memory, capacity: 100, descriptions: nil)
      }
      _ = try? file.locked { file throws(AudioError) in
        try file.chunk(file.chunkCodes.last ?? "data", 0, 0..<Int.max)
      }
    }
  }

  @Test("of a table without packets are its end")
  func emptyTable() {
    var table = PacketTable(framesPerPacket: 0)
    #expect(table.start(0) == 0 && table.start(7) == 0)
    table.append(offset: 0, size: 5, frames: 100)
    table.append(offset: 5, size: 7, frames: 60)
    #expect(table.start(1) == 100 && table.start(2) == 160 && table.start(.max) == 160)
    table.removeLast(1)
    #expect(table.count == 1 && table.frameCount == 100 && table.byteCount == 5)
    table.removeLast(1)
    #expect(table.count == 0 && table.frameCount == 0 && table.byteCount == 0)
  }

  // MARK: Formats

  @Test("of bits: none in an extensible WAV file")
  func noBits() throws {
    let guid: [UInt8] = [1, 0] + WaveFormatChunk.Tag.tail
    let format =
      WaveBytes.number(UInt16(0xFFFE)) + WaveBytes.number(UInt16(1))
      + WaveBytes.number(UInt32(44_100)) + WaveBytes.number(UInt32(88_200))
      + WaveBytes.number(UInt16(2)) + WaveBytes.number(UInt16(0)) + WaveBytes.number(UInt16(22))
      + WaveBytes.number(UInt16(16)) + WaveBytes.number(UInt32(4)) + guid
    let bytes = WaveBytes.riff(WaveBytes.chunk("fmt ", format), WaveBytes.chunk("data", []))
    let text = explanation { _ = try Containers.open(MemoryStore(bytes)) }
    #expect(text.contains("0 bits"), "\(text)")
  }

  @Test("of rates: no duration follows from them")
  func tinyRate() throws {
    let store = MemoryStore()
    var format = Samples.packed(kAudioFormatULaw)
    format.mSampleRate = 1e-300
    let file = try Containers.create(store, kAudioFileCAFType, format)
    try [UInt8](repeating: 0, count: 20).withUnsafeBytes { try file.writeData($0, at: 0) }
    #expect(try FileProperties.info(of: file)["approximate duration in seconds"] == nil)
    #expect(FileProperties.bitRate(file) >= 0)
  }

  @Test(
    "of packets are refused when a file is created",
    arguments: [kAudioFileCAFType, kAudioFileWAVEType, kAudioFileWave64Type])
  func packetSizes(type: AudioFileTypeID) {
    for id in [kAudioFormatDVIIntelIMA, kAudioFormatMPEG4AAC, kAudioFormatOpus] {
      for size: UInt32 in [.max, .max / 2, 1 << 31] {
        var format = Samples.packed(id)
        format.mBytesPerPacket = size
        format.mFramesPerPacket = size
        #expect(throws: AudioError.self) {
          _ = try Containers.create(MemoryStore(), type, format)
        }
      }
    }
  }

  @Test("of bits and channels are refused for new files")
  func encodings() throws {
    for bits in [Int.min, .max, 0, 33, -16] {
      var encoding = try SoundFileEncoding(path: "a.wav")
      #expect(throws: AudioError.self) { try encoding.setBits(bits) }
    }
    let folder = try ScratchFolder()
    for channels in [Int.max, .min, 0, -1, 1 << 32] {
      #expect(throws: AudioError.self) {
        _ = try SoundFileWriter(
          folder.path("a.wav"), sampleRate: 44_100, channelCount: channels, expecting: nil)
      }
      #expect(throws: AudioError.self) {
        _ = try SoundFileRecorder(
          path: folder.path("b.wav"), sampleRate: 44_100, channelCount: channels)
      }
    }
    #expect(folder.names.isEmpty)
  }

  @Test("of expected packets", arguments: HostileFileTests.linear)
  func expected(sample: Samples.Case) throws {
    for count in [Int.max, .min, -1, 1 << 61] {
      _ = try Containers.create(
        MemoryStore(), sample.type, sample.format, .init(expectedPackets: count))
    }
  }

  // MARK: Packet tables

  @Test("of valid frames are refused")
  func packetTable() throws {
    let file = try Containers.create(
      MemoryStore(), kAudioFileCAFType, Samples.packed(kAudioFormatMPEG4AAC))
    let object = AudioFileObject(writing: file)
    for frames in [Int64.max, 1 << 62] {
      let info = [
        AudioFilePacketTableInfo(
          mNumberValidFrames: frames, mPrimingFrames: .max, mRemainderFrames: .max)
      ]
      #expect(throws: AudioError.self) {
        try info.withUnsafeBytes {
          try object.setProperty(kAudioFilePropertyPacketTableInfo, $0)
        }
      }
    }
    #expect(file.packetInfo == nil)
    try file.close()
  }

  // MARK: Markers

  @Test(
    "of markers are limited or refused",
    arguments: [kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileCAFType])
  func markers(type: AudioFileTypeID) throws {
    let sample = try #require(HostileFileTests.linear.first { $0.type == type })
    let file = try Containers.create(MemoryStore(), type, sample.format)
    let frames = [Double.nan, .infinity, -.infinity, -1, 1e300, 4e9]
    let ids = [Int32.max, .min, 0, -1, 32_767]
    let markers = frames.flatMap { frame in
      ids.map { Marker(frame: frame, name: "A", id: $0) }
    }
    try file.setMarkers(markers)
    #expect(try file.markers.count == markers.count)
    try file.setRegions([
      Region(id: .max, name: "R", flags: [.loopEnable], markers: Array(markers.prefix(2)))
    ])
    #expect(try file.regions.count <= 1)
    try file.close()
  }

  @Test("of markers of an AIFF file: at most as many as it can number")
  func manyMarkers() throws {
    let file = try Containers.create(MemoryStore(), kAudioFileAIFFType, Samples.bigEndian[0])
    let markers = (0..<33_000).map { Marker(frame: Double($0), name: "", id: 0) }
    #expect(throws: AudioError.self) { try file.setMarkers(markers) }
    try file.setMarkers(Array(markers.prefix(32_767)))
    #expect(try Set(file.markers.map(\.id)).count == 32_767)
    #expect(throws: AudioError.self) {
      try file.setRegions([
        Region(
          id: 1, name: "", flags: [.loopEnable],
          markers: [Marker(frame: 99_999, name: "", id: 1), Marker(frame: 0.5, name: "", id: 2)])
      ])
    }
  }

  // MARK: Work

  @Test(
    "of chunks: a stream of tiny chunks is read or refused in a moment", arguments: [900, 9_000])
  func tinyChunks(count: Int) throws {
    let chunks = [UInt8]((0..<count).flatMap { _ in WaveBytes.chunk("abcd", []) })
    let bytes = WaveBytes.riff(
      chunks, WaveBytes.format(tag: 1, bits: 16),
      WaveBytes.chunk("data", [UInt8](repeating: 1, count: 4_000)))
    let log = try StreamLog()
    let start = ContinuousClock.now
    let text = explanation { try log.parse(bytes) { 8 } }
    #expect(log.bytes.count == (count < 1_000 ? 4_000 : 0))
    #expect(text.contains("more than") == (count > 1_000), "\(text)")
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("of names: many markers share long ones in little memory and time")
  func sharedNames() throws {
    // 20,000 texts, each of which ends at the end of the chunk.
    var texts = ByteBuilder(isBigEndian: true)
    texts.number(UInt32(20_000))
    for index in 0..<20_000 {
      texts.number(UInt32(index))
      texts.number(Int64(index))
    }
    texts.append([UInt8](repeating: 0x41, count: 1 << 20))
    var marks = ByteBuilder(isBigEndian: true)
    marks.number(UInt32(0))
    marks.number(UInt32(20_000))
    for _ in 0..<20_000 {
      marks.zeros(12)
      marks.number(UInt32(0))
      marks.zeros(12)
    }
    let file = try Containers.create(MemoryStore(), kAudioFileCAFType, Samples.little[0])
    try file.setChunk("strg", 0, texts.bytes)
    try file.setChunk("mark", 0, marks.bytes)
    let start = ContinuousClock.now
    let markers = try file.markers
    #expect(markers.count == 20_000)
    #expect(markers.first?.name.utf8.count == 1 << 20)
    #expect(markers.reduce(0) { $0 + $1.name.utf8.count } <= Limits.nameBytes)
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
