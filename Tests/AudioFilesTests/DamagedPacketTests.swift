// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Packets that are damaged, lost, or between other bytes")
struct DamagedPacketTests {
  private let folder: ScratchFolder
  private static let flac = Recording(
    kAudioFileFLACType, kAudioFormatFLAC, 44_100, 2, flags: 1)
  private static let synced: [Recording] = Recording.all.filter {
    [kAudioFileMP3Type, kAudioFileAAC_ADTSType].contains($0.type)
  }

  init() throws { folder = try ScratchFolder() }

  /// A recording's bytes, packets and samples.
  private func whole(
    _ recording: Recording, _ frames: Int = 30_011
  ) throws -> (bytes: [UInt8], packets: PacketTable, samples: [Float]) {
    let path = folder.path("whole.\(recording.ending)")
    try recording.write(path, frames)
    let file = try Containers.open(FileStore(path))
    return (
      try FileStore(path).bytes(at: 0, 1 << 24), try #require(file.packets),
      try Recording.read(path)
    )
  }

  private func save(_ bytes: [UInt8], _ ending: String) throws -> String {
    let path = folder.path("changed.\(ending)")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func noise(_ count: Int, _ number: UInt64 = 1) -> [UInt8] {
    var random = Seeded(number: number)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// The packets that a stream delivers.
  private func streamed(_ bytes: [UInt8], pieces: Int) throws -> Int {
    let log = try StreamLog()
    try log.parse(bytes, { pieces })
    return log.packetCount
  }

  // MARK: FLAC

  /// Checks that a changed file has the sound of the whole one, but silence instead of some packets.
  private func expect(
    _ bytes: [UInt8], silent: Range<Int>, of packets: PacketTable, _ samples: [Float]
  ) throws {
    let path = try save(bytes, "flac")
    let found = try Recording.read(path)
    try #require(found.count == samples.count)
    let frames = packets.start(silent.lowerBound)..<packets.start(silent.upperBound)
    for frame in 0..<samples.count / 2 {
      let expected = frames.contains(frame) ? 0 : samples[2 * frame]
      try #require(found[2 * frame] == expected, "frame \(frame)")
    }
    let condition = SoundFileCondition(of: try Containers.open(FileStore(path)))
    #expect(condition.silencedFrameCount == frames.count)
    #expect((condition.warning == nil) == frames.isEmpty)
    #expect(condition.declaredFrameCount == condition.frameCount)
    // Reading begins within the silence as it does elsewhere.
    let middle = frames.lowerBound + frames.count / 2
    #expect(try Recording.read(path, from: middle, 10) == Array(found[(2 * middle)...].prefix(20)))
  }

  @Test("of FLAC are silent, and what follows keeps its time", arguments: [0, 3, nil])
  func damagedFrame(place: Int?) throws {
    let (bytes, packets, samples) = try whole(Self.flac)
    let last = packets.count - 1
    let index = place ?? last
    // The middle of a frame, and its header.
    for position in [packets.size(index) / 2, 3] {
      var changed = bytes
      changed.replace(at: packets.offset(index) + position, noise(40))
      // A last frame without a header is missing at the end, like a part that was cut off.
      guard position > 3 || index < last else { continue }
      try expect(changed, silent: index..<index + 1, of: packets, samples)
      for pieces in [300, bytes.count] {
        #expect(try streamed(changed, pieces: pieces) == packets.count - 1)
      }
    }
  }

  @Test("of FLAC that are lost are silent, several at a time")
  func lostFrames() throws {
    let (bytes, packets, samples) = try whole(Self.flac)
    var changed = bytes
    changed.removeSubrange(packets.offset(2)..<packets.offset(5))
    try expect(changed, silent: 2..<5, of: packets, samples)
    changed = bytes
    changed.removeSubrange((packets.offset(2) + 100)..<(packets.offset(5) - 100))
    try expect(changed, silent: 2..<5, of: packets, samples)
  }

  @Test("of FLAC are all there with other bytes between them", arguments: [0, 1, 2, 3])
  func otherBytes(kind: Int) throws {
    let (bytes, packets, samples) = try whole(Self.flac)
    let other = [noise(3_000), SoundTags.id3("one"), SoundTags.ape("two"), noise(1 << 20)][kind]
    for index in [1, 4, packets.count - 1] {
      let start = packets.offset(index)
      let changed = Array(bytes[..<start]) + other + bytes[start...]
      try expect(changed, silent: 0..<0, of: packets, samples)
      #expect(try streamed(changed, pieces: 5_000) == packets.count)
    }
  }

  @Test("of FLAC are silent in a file that states no length")
  func unknownLength() throws {
    let (bytes, packets, samples) = try whole(Self.flac)
    var changed = bytes
    // The number of samples: the lowest 36 bits of eight bytes.
    changed[8 + 13] &= 0xF0
    changed.replace(at: 8 + 14, [0, 0, 0, 0])
    try expect(changed, silent: 0..<0, of: packets, samples)
    let last = packets.count - 1
    changed.replace(at: packets.offset(last) + packets.size(last) / 2, noise(30))
    try expect(changed, silent: last..<last + 1, of: packets, samples)
  }

  @Test(
    "of FLAC are silent in a file that does not state how long its frames are",
    arguments: [(0, 0), (16, 65_535)])
  func unknownFrameLength(shortest: UInt16, longest: UInt16) throws {
    let (bytes, packets, samples) = try whole(Self.flac)
    var changed = bytes
    changed.replace(at: 8, [shortest, longest].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    let path = try save(changed, "flac")
    #expect(try Containers.open(FileStore(path)).format.mFramesPerPacket == 0)
    try expect(changed, silent: 0..<0, of: packets, samples)
    #expect(try streamed(changed, pieces: 5_000) == packets.count)
    // The number of the frame: its header no longer fits its check sum.
    changed[packets.offset(3) + 4] ^= 1
    try expect(changed, silent: 3..<4, of: packets, samples)
  }

  @Test("of FLAC that state any numbers are refused or read, in a short time")
  func hostileNumbers() throws {
    let (bytes, packets, _) = try whole(Self.flac)
    // Headers with ascending numbers and nothing behind them.
    var many = Array(bytes[..<packets.offset(0)])
    for number in 0..<20_000 {
      var frame = FLACFrame.silent(
        4_096, number: number * 65_537, isVariable: false, channels: 2, depth: 16)
      if number % 2 == 1 { frame.removeLast(8) }
      many += frame
    }
    bounded("many headers") {
      let file = try? Containers.open(MemoryStore(many))
      #expect(file?.packetCount ?? 0 <= Limits.silentPackets + 40_000)
    }
  }

  @Test("of silent FLAC are whole frames", arguments: [1, 2, 8], [8, 16, 24, 32])
  func silentFrames(channels: Int, depth: Int) throws {
    for (number, isVariable) in [(0, false), (127, false), (70_000, true), (1 << 33, true)] {
      let bytes = FLACFrame.silent(
        500, number: number, isVariable: isVariable, channels: channels, depth: depth)
      let frame = try #require(FLACFrame(ByteFields(bytes, isBigEndian: true)))
      #expect((frame.number, frame.isVariable, frame.frames) == (number, isVariable, 500))
      #expect(FLACFrameLength.measure(bytes, frame, depth: depth) == .bytes(bytes.count))
    }
  }

  // MARK: MPEG audio

  @Test("of MPEG audio are all there with anything behind them", arguments: synced)
  func bytesBehind(recording: Recording) throws {
    let (bytes, packets, samples) = try whole(recording)
    for number in 1...3 {
      let changed = bytes + noise(1 << 20, UInt64(number))
      let path = try save(changed, recording.ending)
      #expect(try Recording.read(path) == samples)
      #expect(try streamed(changed, pieces: 50_000) == packets.count)
    }
  }

  @Test("of MPEG audio are all there with anything between them", arguments: synced)
  func bytesBetween(recording: Recording) throws {
    let (bytes, packets, _) = try whole(recording)
    let header = recording.type == kAudioFileAAC_ADTSType ? 7 : 0
    let middle = packets.offset(packets.count / 2) - header
    let last = packets.offset(packets.count - 1) - header
    for start in [middle, last] {
      let changed = Array(bytes[..<start]) + noise(1 << 19) + bytes[start...]
      let file = try Containers.open(MemoryStore(changed))
      #expect(file.packetCount == packets.count)
      #expect(try streamed(changed, pieces: 10_000) == packets.count)
    }
  }
}
