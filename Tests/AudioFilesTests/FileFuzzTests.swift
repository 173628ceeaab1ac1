// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

/// Files that are truncated, or have changed bytes, are either read or refused.
@Suite("Fuzz: damaged files")
struct FileFuzzTests {
  /// Mutations of each file: 10,000 of them in `make fuzz`.
  private static let rounds =
    (ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_ROUNDS"].flatMap { Int($0) } ?? 200)
    / 10

  private static let linearSamples: [Samples.Case] = [
    kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileWave64Type, kAudioFileAIFFType,
    kAudioFileAIFCType, kAudioFileCAFType, kAudioFileNextType,
  ].compactMap { type in Samples.all.first { $0.type == type } }

  /// A small file of linear PCM with all the metadata that it can hold.
  private func bytes(_ sample: Samples.Case) throws -> [UInt8] {
    let store = MemoryStore()
    let file = try Containers.create(store, sample.type, sample.format)
    let markers = [Marker(frame: 3, name: "A mark", id: 1), Marker(frame: 9, name: "B", id: 2)]
    try? file.setMarkers(markers)
    try? file.setRegions([
      Region(id: 1, name: "Part", flags: [.loopEnable, .playForward], markers: markers)
    ])
    try? file.setInfo(["title": "A title", "artist": "Somebody"])
    let sound = Samples.bytes(Int(file.format.mBytesPerPacket) * 40)
    try sound.withUnsafeBufferPointer { sound throws(AudioError) in
      try file.writeData(UnsafeRawBufferPointer(sound), at: 0)
    }
    try file.close()
    return store.bytes
  }

  private func bytes(_ recording: Recording) throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, 5_000) { file in
      try file.setInfo(["title": "A title", "track number": "2/9"])
      try? file.setArtwork([UInt8](repeating: 7, count: 90))
    }
    return try FileStore(path).bytes(at: 0, 1 << 20)
  }

  /// Reads everything in a file. The text of each error names the file.
  private func read(_ bytes: [UInt8]) throws {
    do throws(AudioError) {
      let file = try Containers.open(MemoryStore(bytes, named: "a damaged file"))
      _ = try? file.info
      _ = try? file.artwork
      _ = try? file.markers
      _ = try? file.regions
      _ = try? file.tag
      for code in file.chunkCodes.prefix(20) { _ = try? file.chunk(code, 0, 0..<1_000) }
      for track in 0..<min(file.trackCount, 3) { try? file.useTrack(track) }
      #expect(file.frameCount >= 0 && file.packetCount >= 0 && file.dataByteCount >= 0)
      #expect(file.dataByteCount <= 1 << 40)
      let object = AudioFileObject(reading: file)
      var packet = 0
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
      let descriptions = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: 64)
      defer {
        memory.deallocate()
        descriptions.deallocate()
      }
      for _ in 0..<200 {
        guard
          let read = try? object.readPackets(
            from: Int64(packet), count: 64, into: memory, capacity: memory.count,
            descriptions: descriptions), read.packets > 0
        else { break }
        packet += read.packets
      }
    } catch {
      #expect(!error.explanation.isEmpty && error.explanation.contains("a damaged file"))
    }
    let log = try StreamLog()
    try? log.parse(bytes) { 700 }
  }

  private func mutate(_ bytes: [UInt8], _ number: Int) -> [UInt8] {
    var generator = Seeded(number: UInt64(number) &* 7_919)
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
      // Mostly in the header, where each byte has a meaning.
      let isNear = Int.random(in: 0..<4, using: &generator) > 0
      let position = Int.random(
        in: 0..<(isNear ? min(bytes.count, 600) : bytes.count), using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[position] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      case 2: for index in position..<min(position + 4, bytes.count) { bytes[index] = 0xFF }
      case 3: for index in position..<min(position + 8, bytes.count) { bytes[index] = 0 }
      case 4: bytes.removeSubrange(position..<min(position + 5, bytes.count))
      default:
        bytes.insert(contentsOf: bytes[position..<min(position + 16, bytes.count)], at: position)
      }
    }
    return bytes
  }

  private func check(_ bytes: [UInt8]) throws {
    // Every truncation within the header, and some of the rest.
    var count = 0
    while count < bytes.count {
      try bounded("a file of \(count) bytes") { try read(Array(bytes.prefix(count))) }
      count += count < 300 ? 1 : max(1, (bytes.count - count) / 40)
    }
    for round in 0..<Self.rounds {
      try bounded("round \(round)") { try read(mutate(bytes, round)) }
    }
  }

  @Test("are read or refused: linear sound", arguments: linearSamples)
  func linear(sample: Samples.Case) throws { try check(try bytes(sample)) }

  @Test("are read or refused: compressed sound", arguments: Recording.all)
  func compressed(recording: Recording) throws { try check(try bytes(recording)) }

  @Test("are decoded or refused", arguments: Recording.all)
  func decoded(recording: Recording) throws {
    let bytes = try bytes(recording)
    let folder = try ScratchFolder()
    let path = folder.path("b.\(recording.ending)")
    for round in 0..<max(4, Self.rounds / 20) {
      try FileStore(creating: path, erases: true).write(mutate(bytes, round + 100_000), at: 0)
      bounded("decoding in round \(round)") { _ = try? Recording.read(path) }
    }
  }
}
