// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// Files of which one number has an extreme value are read or refused, within seconds.
@Suite("Fuzz: extreme numbers in files")
struct FieldFuzzTests {
  /// Cases of each file; in `make fuzz` all that there are.
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 500

  static let kinds: [Samples.Case] = [
    kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type,
    kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileNextType,
  ].flatMap { type in
    // Linear samples, and packets of more frames.
    let all = Samples.all.filter { $0.type == type }
    let packed = [kAudioFormatDVIIntelIMA, kAudioFormatAppleIMA4]
    return all.prefix(1) + all.filter { packed.contains($0.format.mFormatID) }
  }

  /// A small file with all the metadata that it can hold.
  private func bytes(_ sample: Samples.Case) throws -> [UInt8] {
    let store = MemoryStore()
    let file = try Containers.create(store, sample.type, sample.format)
    let markers = [Marker(frame: 3, name: "A mark", id: 1), Marker(frame: 9, name: "B", id: 2)]
    try? file.setMarkers(markers)
    try? file.setRegions([
      Region(id: 3, name: "Part", flags: [.loopEnable, .playForward], markers: markers)
    ])
    try? file.setInfo(["title": "A title"])
    try? file.setPacketInfo(.init(validFrames: 100, primingFrames: 10, remainderFrames: 5))
    try? file.setChunk("inst", 0, [60, 0, 0, 0, 127, 1, 127, 0])
    let sound = Samples.bytes(Int(file.format.mBytesPerPacket) * 4)
    try sound.withUnsafeBytes { try file.writeData($0, at: 0) }
    try? file.setChunk("abcd", 0, [1, 2, 3, 4])
    try file.close()
    return store.bytes
  }

  /// A CAF file of packets of different sizes and lengths.
  private func packets() throws -> [UInt8] {
    let store = MemoryStore()
    var format = Samples.packed(Recording.vorbis)
    format.mSampleRate = 48_000
    let file = try Containers.create(store, kAudioFileCAFType, format)
    let sound = [UInt8](repeating: 0xFC, count: 300)
    let descriptions = (0..<6).map {
      AudioStreamPacketDescription(
        mStartOffset: Int64($0 * 50), mVariableFramesInPacket: 960, mDataByteSize: 50)
    }
    try sound.withUnsafeBytes { try file.appendPackets(descriptions, from: $0) }
    try file.setPacketInfo(.init(validFrames: 5_000, primingFrames: 312, remainderFrames: 448))
    try file.close()
    return store.bytes
  }

  // MARK: Cases

  /// Extreme values of numbers of 2, 4, 8 and 10 bytes, in a byte order.
  private static func values(isBigEndian: Bool) -> [[UInt8]] {
    func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) }
    }
    let short: [Int16] = [0, 1, -1, .min, .max]
    let long: [Int32] = [0, 1, -1, .min, .max]
    let longest: [Int64] = [0, 1, -1, .min, .max, 1 << 62, 1 << 40]
    let floats: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude]
    let doubles: [Double] = [
      .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1, 1e-300, 0x1p63, 4e9,
    ]
    let extended: [[UInt8]] = [
      [0x7F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x7F, 0xFE] + [UInt8](repeating: 0xFF, count: 8),
      [0, 1, 0x80, 0, 0, 0, 0, 0, 0, 0], [0xBF, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0],
    ]
    var values = extended
    values += short.map { bytes($0) }
    values += long.map { bytes($0) }
    values += longest.map { bytes($0) }
    values += floats.map { bytes($0.bitPattern) }
    values += doubles.map { bytes($0.bitPattern) }
    return values
  }

  /// Each number at each position, or some of them.
  private func check(_ bytes: [UInt8], isBigEndian: Bool) throws {
    let values = Self.values(isBigEndian: isBigEndian)
    let all = bytes.count * values.count
    var generator = Seeded(number: UInt64(all))
    let cases =
      all <= Self.rounds
      ? Array(0..<all)
      : (0..<Self.rounds).map { _ in Int.random(in: 0..<all, using: &generator) }
    for number in cases {
      let (position, value) = (number / values.count, values[number % values.count])
      guard position + value.count <= bytes.count else { continue }
      var changed = bytes
      changed.replaceSubrange(position..<position + value.count, with: value)
      let start = ContinuousClock.now
      try inspect(changed)
      let time = ContinuousClock.now - start
      #expect(time < .seconds(60), "\(value) at byte \(position)")
    }
  }

  /// Opens a file, reads all its properties and packets, seeks, and closes it.
  private func inspect(_ bytes: [UInt8]) throws {
    guard let file = try? Containers.open(MemoryStore(bytes)) else { return }
    let object = AudioFileObject(reading: file)
    _ = try? FileProperties.info(of: file)
    _ = try? file.artwork
    _ = InstrumentInfo(file)
    let hasNames =
      ((try? file.markers) ?? []).contains { !$0.name.isEmpty }
      || ((try? file.regions) ?? []).contains { region in
        !region.name.isEmpty || region.markers.contains { !$0.name.isEmpty }
      }
    var memory = [UInt8](repeating: 0, count: 1 << 16)
    for id in FileProperties.table.rows.map(\.id) where !Self.objects.contains(id) {
      guard !hasNames || ![kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList].contains(id)
      else { continue }
      for input in [Int64(0), 1, -1, .min, .max, 1 << 62] {
        _ = try? object.propertyInfo(id)
        memory.withUnsafeMutableBytes { memory in
          for position in [0, 8, 16] {
            memory.storeBytes(of: input, toByteOffset: position, as: Int64.self)
          }
          var size = UInt32(memory.count)
          guard let start = memory.baseAddress else { return }
          _ = try? object.property(id, into: start, &size)
        }
      }
    }
    for code in file.chunkCodes.prefix(20) { _ = try? file.chunk(code, 0, 0..<1_000) }
    read(object)
    try decode(object)
  }

  /// Properties whose values are objects.
  private static let objects: Set<AudioFilePropertyID> = [
    kAudioFilePropertyDataFormatName, kAudioFilePropertyInfoDictionary,
    kAudioFilePropertyAlbumArtwork,
  ]

  private func read(_ object: AudioFileObject) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 16)
    defer { memory.deallocate() }
    guard let start = memory.baseAddress else { return }
    withUnsafeTemporaryAllocation(of: AudioStreamPacketDescription.self, capacity: 64) { list in
      for packet in [Int64(0), 1, -1, .min, .max, 1 << 62] {
        _ = try? object.readPackets(
          from: packet, count: 64, into: memory, capacity: memory.count,
          descriptions: list.baseAddress)
        var count = UInt32(memory.count)
        _ = try? object.readBytes(at: packet, &count, into: start)
      }
    }
  }

  private func decode(_ object: AudioFileObject) throws {
    let channels = object.container.format.mChannelsPerFrame
    let client = Samples.pcm(32, kAudioFormatFlagIsFloat, rate: 48_000, channels: channels)
    guard channels < 65, let reader = try? FrameReader(object, to: client, 8_192) else { return }
    var samples = [Float](repeating: 0, count: 256 * Int(channels))
    for frame in [0, 1, object.container.frameCount, object.container.frameCount / 2] {
      guard (try? reader.seek(to: frame)) != nil else { continue }
      samples.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: channels, mDataByteSize: UInt32(bytes.count),
            mData: bytes.baseAddress))
        _ = try? reader.read(256, into: &list)
      }
      #expect(reader.position >= 0)
    }
  }

  // MARK: Tests

  @Test("are read or refused", arguments: kinds)
  func files(sample: Samples.Case) throws {
    let isBigEndian = [
      kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileNextType,
    ].contains(sample.type)
    try check(bytes(sample), isBigEndian: isBigEndian)
  }

  @Test("are read or refused in a packet table")
  func packetTable() throws { try check(packets(), isBigEndian: true) }
}
