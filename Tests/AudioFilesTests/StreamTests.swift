// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// Records the calls of a stream.
final class StreamLog {
  var properties: [(id: AudioFileStreamPropertyID, value: [UInt8])] = []
  var bytes: [UInt8] = []
  var sizes: [UInt32] = []
  var frames: [UInt32] = []
  var packetCount = 0
  var packetsBeforeReady = 0
  var closesItself = false
  private var isReady = false
  private(set) var stream: FileStream?
  private(set) var handle: AudioFileStreamID?

  init(hint: AudioFileTypeID = 0) throws {
    let made = FileStream(
      Unmanaged.passUnretained(self).toOpaque(),
      listener: { context, handle, id, _ in
        Unmanaged<StreamLog>.fromOpaque(context).takeUnretainedValue().record(id)
      },
      receiver: { context, size, count, data, descriptions in
        Unmanaged<StreamLog>.fromOpaque(context).takeUnretainedValue()
          .record(size, count, data, descriptions)
      }, hint: hint)
    handle = try FileStream.handles.insert(made)
    stream = made
  }

  deinit { close() }

  func close() {
    if let handle { try? FileStream.close(handle) }
    handle = nil
  }

  private func record(_ id: AudioFileStreamPropertyID) {
    // A dictionary would have to be released.
    let isObject = id == kAudioFileStreamProperty_InfoDictionary
    properties.append((id, isObject ? [] : (try? value(id)) ?? []))
    if id == kAudioFileStreamProperty_ReadyToProducePackets { isReady = true }
  }

  private func record(
    _ size: UInt32, _ count: UInt32, _ data: UnsafeRawPointer,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) {
    if !isReady { packetsBeforeReady += 1 }
    bytes += UnsafeRawBufferPointer(start: data, count: Int(size))
    packetCount += Int(count)
    var end: Int64 = 0
    for index in 0..<(descriptions == nil ? 0 : Int(count)) {
      guard let packet = descriptions?[index] else { return }
      #expect(packet.mStartOffset == end)
      end += Int64(packet.mDataByteSize)
      sizes.append(packet.mDataByteSize)
      frames.append(packet.mVariableFramesInPacket)
    }
    #expect(descriptions == nil || end == Int64(size))
    if closesItself { close() }
  }

  /// The bytes of a property's value; the memory first contains `input`.
  func value(_ id: AudioFileStreamPropertyID, input: [Int64] = []) throws -> [UInt8] {
    let stream = try #require(stream)
    var size = UInt32(try stream.propertySize(id))
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size) + 24, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(size) + 24)
    for (index, number) in input.enumerated() {
      memory.storeBytes(of: number, toByteOffset: 8 * index, as: Int64.self)
    }
    try stream.property(id, into: memory, &size)
    return Array(UnsafeRawBufferPointer(start: memory, count: Int(size)))
  }

  /// Parses bytes in parts; `cut` returns the length of the next part.
  func parse(_ bytes: [UInt8], _ cut: () -> Int = { 65_536 }, isEnd: Bool = true) throws {
    var position = 0
    while position < bytes.count, handle != nil {
      let count = min(max(1, cut()), bytes.count - position)
      try feed(bytes[position..<position + count])
      position += count
    }
    if isEnd, handle != nil { try feed([]) }
  }

  /// Parses one part; an empty one marks the end.
  func feed(_ part: ArraySlice<UInt8>, isDiscontinuous: Bool = false) throws {
    let (stream, handle) = (try #require(stream), try #require(handle))
    try Array(part).withUnsafeBufferPointer { part throws(AudioError) in
      try stream.parse(
        UnsafeRawBufferPointer(part), isDiscontinuous: isDiscontinuous, as: handle)
    }
  }
}

@Suite("Files whose bytes arrive piece by piece")
struct StreamTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The bytes of a file that can be parsed as it arrives.
  private func bytes(_ recording: Recording, frames: Int = 20_000) throws -> [UInt8] {
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, frames)
    let file = try Containers.open(FileStore(path, writable: true))
    try file.optimize()
    try file.close()
    return try FileStore(path).bytes(at: 0, 1 << 24)
  }

  private static let linear: [Samples.Case] = Samples.all.filter {
    $0.format.mBitsPerChannel == 16 || $0.format.mFormatID != kAudioFormatLinearPCM
  }

  private func bytes(_ sample: Samples.Case) throws -> [UInt8] {
    let store = MemoryStore()
    let file = try Containers.create(store, sample.type, sample.format)
    let bytes = Samples.bytes(Int(file.format.mBytesPerPacket) * 300)
    try bytes.withUnsafeBufferPointer { bytes throws(AudioError) in
      try file.writeData(UnsafeRawBufferPointer(bytes), at: 0)
    }
    try file.close()
    return store.bytes
  }

  /// The packets of a file, as a container reads them.
  private func packets(_ bytes: [UInt8]) throws -> (all: [UInt8], count: Int) {
    let file = try Containers.open(MemoryStore(bytes))
    guard let table = file.packets else {
      var all = [UInt8](repeating: 0, count: file.dataByteCount)
      _ = try all.withUnsafeMutableBufferPointer { all throws(AudioError) in
        try file.readData(UnsafeMutableRawBufferPointer(all), at: 0)
      }
      return (all, file.packetCount)
    }
    var all: [UInt8] = []
    for index in 0..<table.count {
      var packet = [UInt8](repeating: 0, count: table.size(index))
      try packet.withUnsafeMutableBufferPointer { packet throws(AudioError) in
        try file.readPacket(index, into: UnsafeMutableRawBufferPointer(packet))
      }
      all += packet
    }
    return (all, table.count)
  }

  private func check(_ bytes: [UInt8]) throws {
    let expected = try packets(bytes)
    var generator = Seeded(number: UInt64(bytes.count))
    let whole = try StreamLog()
    try whole.parse(bytes)
    #expect(whole.bytes == expected.all && whole.packetCount == expected.count)
    #expect(whole.packetsBeforeReady == 0)
    #expect(whole.properties.first?.id == kAudioFileStreamProperty_FileFormat)
    #expect(whole.properties.dropFirst().first?.id == kAudioFileStreamProperty_DataFormat)
    #expect(whole.properties.last?.id == kAudioFileStreamProperty_ReadyToProducePackets)
    let cuts: [() -> Int] = [{ 1 }, { Int.random(in: 1...3_000, using: &generator) }]
    for cut in cuts {
      let log = try StreamLog()
      try log.parse(bytes, cut)
      #expect(log.properties.map(\.id) == whole.properties.map(\.id))
      #expect(log.properties.map(\.value) == whole.properties.map(\.value))
      #expect(log.bytes == whole.bytes && log.sizes == whole.sizes && log.frames == whole.frames)
      #expect(log.packetCount == whole.packetCount)
    }
  }

  private static func arrives(_ recording: Recording) -> Bool {
    // The packet table of a CAF file comes after the sound.
    recording.type != kAudioFileCAFType
  }

  @Test(
    "yield the same properties and packets however they are split",
    arguments: Recording.all.filter(arrives))
  func cuts(recording: Recording) throws { try check(try bytes(recording, frames: 9_000)) }

  @Test("yield the same linear PCM however they are split", arguments: linear)
  func linearCuts(sample: Samples.Case) throws { try check(try bytes(sample)) }

  @Test("are refused when the packet table comes after the sound")
  func notOptimized() throws {
    let path = folder.path("a.m4a")
    try Recording.all[0].write(path, 5_000)
    let bytes = try FileStore(path).bytes(at: 0, 1 << 24)
    let log = try StreamLog()
    let error = #expect(throws: AudioError.self) { try log.parse(bytes) }
    #expect(error?.status == kAudioFileStreamError_NotOptimized)
    // Later calls fail too.
    let again = #expect(throws: AudioError.self) { try log.feed(bytes[..<100]) }
    #expect(again?.status == kAudioFileStreamError_NotOptimized)
  }

  @Test("are refused when they are not of the expected kind")
  func hints() throws {
    let wave = try bytes(Self.linear[0])
    let fits = try StreamLog(hint: kAudioFileWAVEType)
    try fits.parse(wave)
    #expect(fits.packetCount == 300)
    let wrong = try StreamLog(hint: kAudioFileMP3Type)
    let error = #expect(throws: AudioError.self) { try wrong.parse(wave) }
    #expect(error?.status == kAudioFileStreamError_UnsupportedFileType)
    let text = try StreamLog()
    let noise = #expect(throws: AudioError.self) {
      try text.parse(Array("No sound at all. ".utf8))
    }
    #expect(noise?.status == kAudioFileStreamError_UnsupportedFileType)
  }

  @Test("distinguish values not known yet, missing values, and unknown properties")
  func unknownProperties() throws {
    let bytes = try bytes(Recording.all[15])
    let log = try StreamLog()
    try log.feed(bytes[..<3])
    func status(_ id: AudioFileStreamPropertyID) -> OSStatus? {
      do {
        _ = try log.value(id)
        return nil
      } catch { return (error as? AudioError)?.status }
    }
    #expect(
      status(kAudioFileStreamProperty_DataFormat) == kAudioFileStreamError_DataUnavailable)
    #expect(status(0x3F3F_3F3F) == kAudioFileStreamError_UnsupportedProperty)
    let before = try log.value(kAudioFileStreamProperty_ReadyToProducePackets)
    #expect(before == [0, 0, 0, 0])
    try log.feed(bytes[3...])
    #expect(
      status(kAudioFileStreamProperty_AudioDataPacketCount) == kAudioFileStreamError_ValueUnknown)
    let after = try log.value(kAudioFileStreamProperty_ReadyToProducePackets)
    #expect(after == [1, 0, 0, 0])
  }

  @Test("continue at a packet that was requested", arguments: Recording.all.filter(arrives))
  func seeking(recording: Recording) throws {
    let bytes = try bytes(recording, frames: 60_000)
    let whole = try StreamLog()
    try whole.parse(bytes)
    let log = try StreamLog()
    try log.parse(bytes, isEnd: false)
    let packet = 7
    let (offset, isEstimate) = try #require(log.stream).seek(to: Int64(packet))
    let start = try log.value(kAudioFileStreamProperty_DataOffset)
    let position = start.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    (log.bytes, log.sizes, log.packetCount) = ([], [], 0)
    try log.feed(bytes[(position + Int(offset))...], isDiscontinuous: true)
    try log.feed([])
    if isEstimate {
      // Whole packets, from about this position.
      #expect(log.packetCount > 0)
      #expect(Array(whole.sizes.suffix(log.sizes.count)) == log.sizes)
    } else {
      #expect(log.sizes == Array(whole.sizes.dropFirst(packet)))
    }
  }

  @Test("find the next packet after a gap, or report that they cannot")
  func gaps() throws {
    for recording in [Recording.all[13], Recording.all[15]] {
      let bytes = try bytes(recording)
      let whole = try StreamLog()
      try whole.parse(bytes)
      let log = try StreamLog()
      try log.feed(bytes[..<5_000])
      try log.feed(bytes[6_000...], isDiscontinuous: true)
      try log.feed([])
      #expect(log.packetCount > whole.packetCount / 2 && log.packetCount < whole.packetCount)
      #expect(Set(log.sizes).isSubset(of: Set(whole.sizes)))
    }
    let wave = try bytes(Self.linear[0])
    let log = try StreamLog()
    try log.feed(wave[..<500])
    let error = #expect(throws: AudioError.self) {
      try log.feed(wave[600...], isDiscontinuous: true)
    }
    #expect(error?.status == kAudioFileStreamError_DiscontinuityCantRecover)
  }

  @Test("can be closed from inside their functions")
  func closing() throws {
    let log = try StreamLog()
    log.closesItself = true
    try log.parse(try bytes(Recording.all[13], frames: 60_000)) { 4_000 }
    #expect(log.handle == nil && log.packetCount > 0)
  }
}

/// A random generator that yields the same numbers each time.
struct Seeded: RandomNumberGenerator {
  var number: UInt64

  mutating func next() -> UInt64 {
    number &+= 0x9E37_79B9_7F4A_7C15
    var value = number
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
