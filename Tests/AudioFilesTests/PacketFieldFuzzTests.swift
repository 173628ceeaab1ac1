// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// Compressed files of which one number has an extreme value are read or refused, as files and as
/// streams, within seconds.
@Suite("Fuzz: extreme numbers in compressed files")
struct PacketFieldFuzzTests {
  /// Cases of each file.
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 60

  static let kinds = Recording.all.filter { $0.type != kAudioFileCAFType }

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  // MARK: Files

  /// A small file with texts and a picture.
  private func bytes(_ recording: Recording, isOptimized: Bool = false) throws -> [UInt8] {
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, 1_500) { file in
      try file.setInfo(["title": "A title", "tempo": "120", "track number": "2/9"])
      try? file.setArtwork([UInt8](repeating: 7, count: 40))
    }
    if isOptimized {
      let file = try Containers.open(FileStore(path, writable: true))
      try file.optimize()
      try file.close()
    }
    var bytes = try FileStore(path).bytes(at: 0, 1 << 20)
    if recording.type == kAudioFileMP3Type { bytes += Self.apeTag }
    return bytes
  }

  /// An MPEG-4 file whose packets are in fragments, because it was not completed.
  private func fragments(_ recording: Recording) throws -> [UInt8] {
    let source = try Containers.open(MemoryStore(try bytes(recording)))
    let table = try #require(source.packets)
    let store = MemoryStore()
    let file = try Containers.create(store, kAudioFileM4AType, source.format)
    try file.setCookie(source.cookie)
    for index in 0..<table.count {
      let packet = try source.store.bytes(at: table.offset(index), table.size(index))
      let description = AudioStreamPacketDescription(
        mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
      try packet.withUnsafeBytes { try file.appendPackets([description], from: $0) }
      try file.flush()
    }
    return store.bytes
  }

  /// A tag as APEv2 has it: one text, and a footer.
  private static let apeTag: [UInt8] = {
    func number(_ value: UInt32) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let item = number(4) + number(0) + Array("Title\u{0}Text".utf8)
    let rest = number(2_000) + number(UInt32(item.count + 32)) + number(1) + number(0)
    return item + Array("APETAGEX".utf8) + rest + [UInt8](repeating: 0, count: 8)
  }()

  // MARK: Cases

  /// Extreme values of numbers of 1 to 8 bytes, in both byte orders.
  private static let values: [[UInt8]] = {
    func bytes(_ number: some FixedWidthInteger) -> [[UInt8]] {
      [number.bigEndian, number.littleEndian].map { number in
        withUnsafeBytes(of: number) { Array($0) }
      }
    }
    let short: [Int16] = [0, 1, -1, .min, .max]
    let long: [Int32] = [0, 1, -1, .min, .max]
    let longest: [Int64] = [0, 1, -1, .min, .max, 1 << 62, 1 << 40]
    let floats: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude]
    let doubles: [Double] = [.nan, .infinity, -1, 1e300, 1e-300, 0x1p63]
    var all: [[UInt8]] = [[0], [1], [0xFF], [0x80], [0x7F]]
    for number in short { all += bytes(number) }
    for number in long { all += bytes(number) }
    for number in longest { all += bytes(number) }
    for number in floats { all += bytes(number.bitPattern) }
    for number in doubles { all += bytes(number.bitPattern) }
    return all
  }()

  /// Each number at each position, or some of them.
  private func check(_ bytes: [UInt8], name: String) throws {
    let all = bytes.count * Self.values.count
    var generator = Seeded(number: UInt64(all))
    let cases =
      all <= Self.rounds
      ? Array(0..<all)
      : (0..<Self.rounds).map { _ in Int.random(in: 0..<all, using: &generator) }
    for number in cases {
      let value = Self.values[number % Self.values.count]
      let position = min(number / Self.values.count, bytes.count - value.count)
      var changed = bytes
      changed.replaceSubrange(position..<position + value.count, with: value)
      Self.repairChecks(&changed, like: bytes)
      let start = ContinuousClock.now
      try inspect(changed, &generator)
      if number % 10 == 0 { try decode(changed) }
      let time = ContinuousClock.now - start
      #expect(time < .seconds(60), "\(name): \(value) at byte \(position)")
    }
  }

  /// Computes the check sums of the pages of an Ogg file again, which otherwise would be skipped.
  private static func repairChecks(_ bytes: inout [UInt8], like original: [UInt8]) {
    guard original.starts(with: Array("OggS".utf8)) else { return }
    var start = 0
    while start + 27 <= original.count {
      let segments = original[start + 27..<start + 27 + Int(original[start + 26])]
      let end = start + 27 + segments.count + segments.reduce(0) { $0 + Int($1) }
      for index in 22..<26 { bytes[start + index] = 0 }
      var check: UInt32 = 0
      for byte in bytes[start..<end] {
        check ^= UInt32(byte) << 24
        for _ in 0..<8 { check = check & 0x8000_0000 != 0 ? check << 1 ^ 0x04C1_1DB7 : check << 1 }
      }
      withUnsafeBytes(of: check.littleEndian) { bytes.replace(at: start + 22, Array($0)) }
      start = end
    }
  }

  private static let inputs: [Int64] = [0, 1, -1, .min, .max, 1 << 62, 1 << 38]

  /// Properties whose values are objects.
  private static let objects: Set<AudioFilePropertyID> = [
    kAudioFilePropertyDataFormatName, kAudioFilePropertyInfoDictionary,
    kAudioFilePropertyAlbumArtwork,
  ]

  /// Opens a file, reads all its properties and packets, and receives it as a stream.
  private func inspect(_ bytes: [UInt8], _ generator: inout Seeded) throws {
    if let file = try? Containers.open(MemoryStore(bytes)) {
      _ = try? file.info
      _ = try? file.artwork
      for track in 0..<min(file.trackCount, 3) { try? file.useTrack(track) }
      #expect(file.dataByteCount <= bytes.count)
      let object = AudioFileObject(reading: file)
      readProperties(object)
      readPackets(object)
    }
    let log = try StreamLog()
    try? log.parse(bytes, { Int.random(in: 1...900, using: &generator) }, isEnd: false)
    for row in StreamProperty.table.rows where row.id != kAudioFileStreamProperty_InfoDictionary {
      for input in Self.inputs { _ = try? log.value(row.id, input: [input, input, input]) }
    }
    let stream = try #require(log.stream)
    for packet in Self.inputs + [3] {
      guard (try? stream.seek(to: packet)) != nil else { continue }
      try? log.feed(bytes[(bytes.count / 2)...], isDiscontinuous: true)
    }
    try? log.feed([])
  }

  private func readProperties(_ object: AudioFileObject) {
    var memory = [UInt8](repeating: 0, count: 1 << 12)
    for id in FileProperties.table.rows.map(\.id) where !Self.objects.contains(id) {
      for input in Self.inputs {
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
  }

  private func readPackets(_ object: AudioFileObject) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 16)
    defer { memory.deallocate() }
    withUnsafeTemporaryAllocation(of: AudioStreamPacketDescription.self, capacity: 64) { list in
      for packet in Self.inputs {
        _ = try? object.readPackets(
          from: packet, count: 64, into: memory, capacity: memory.count,
          descriptions: list.baseAddress)
      }
    }
  }

  /// Decodes frames at some positions.
  private func decode(_ bytes: [UInt8]) throws {
    let path = folder.path("changed")
    try FileStore(creating: path, erases: true).write(bytes, at: 0)
    // A file that is refused cannot be decoded.
    do { try seek(path) } catch { #expect(error is AudioError) }
  }

  private func seek(_ path: String) throws {
    var reader = try SoundFileReader(path: path)
    guard reader.format.channelCount < 65 else { return }
    let planes = Planes(channelCount: reader.format.channelCount, frameCount: 256)
    for frame in [0, reader.frameCount, reader.frameCount / 2, max(0, reader.frameCount - 1)] {
      reader.seek(to: frame)
      _ = try reader.read(into: planes.channels, frameCount: 256)
    }
  }

  // MARK: Tests

  @Test("are read or refused", arguments: kinds)
  func files(recording: Recording) throws {
    try check(bytes(recording), name: recording.testDescription)
  }

  @Test("are read or refused if the table precedes the sound", arguments: kinds.prefix(8))
  func tables(recording: Recording) throws {
    try check(bytes(recording, isOptimized: true), name: recording.testDescription)
  }

  @Test("are read or refused in fragments", arguments: [kinds[0], kinds[6]])
  func fragmented(recording: Recording) throws {
    try check(fragments(recording), name: recording.testDescription)
  }
}
