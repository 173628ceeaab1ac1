// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Testing

/// A write of a compressed file that fails, at any of its writes, is reported; the packets can be
/// written again, and the file can be closed and read.
@Suite("Failed writes of packets")
struct FailedPacketWriteTests {
  static let kinds = Recording.all.filter { $0.type != kAudioFileCAFType }

  /// The packets of a recording, and what a new file needs to hold them.
  private struct Source {
    let format: AudioStreamBasicDescription
    let cookie: [UInt8]
    let info: Container.PacketInfo?
    var packets: [(bytes: [UInt8], frames: Int)] = []

    init(_ recording: Recording) throws {
      let folder = try ScratchFolder()
      let path = folder.path("a.\(recording.ending)")
      try recording.write(path, 60_000)
      let file = try Containers.open(FileStore(path))
      let table = try #require(file.packets)
      format = file.format
      cookie = file.cookie
      info = file.packetInfo
      for index in 0..<table.count {
        var bytes = [UInt8](repeating: 0, count: table.size(index))
        try bytes.withUnsafeMutableBytes { try file.readPacket(index, into: $0) }
        packets.append((bytes, table.frames(index)))
      }
    }
  }

  /// Writes packets, three at once; those that fail are written once more.
  private func write(
    _ source: Source, _ type: AudioFileTypeID, to store: FailingStore, _ failures: Failures
  ) {
    guard let file = try? Containers.create(store, type, source.format) else { return }
    _ = try? file.setInfo(["title": "A title"])
    for _ in 0..<2 where !source.cookie.isEmpty {
      guard (try? file.setCookie(source.cookie)) == nil else { break }
    }
    if let info = source.info { try? file.setPacketInfo(info) }
    let object = AudioFileObject(writing: file)
    for start in stride(from: 0, to: source.packets.count, by: 3) {
      let part = source.packets[start..<min(start + 3, source.packets.count)]
      var offset: Int64 = 0
      let descriptions = part.map { packet in
        defer { offset += Int64(packet.bytes.count) }
        return AudioStreamPacketDescription(
          mStartOffset: offset, mVariableFramesInPacket: UInt32(packet.frames),
          mDataByteSize: UInt32(packet.bytes.count))
      }
      let bytes = part.flatMap(\.bytes)
      for _ in 0..<2 {
        let isWritten = failures.attempt {
          try bytes.withUnsafeBytes { bytes in
            _ = try object.writePackets(
              from: Int64(start), count: part.count, bytes, descriptions: descriptions)
          }
        }
        if isWritten { break }
      }
    }
    failures.attempt { try file.close() }
  }

  @Test("lose no packet", arguments: kinds)
  func once(recording: Recording) throws {
    let source = try Source(recording)
    let whole = FailingStore(failing: 0..<0, isSparse: true)
    let none = Failures()
    write(source, recording.type, to: whole, none)
    #expect(none.all.isEmpty)
    let expected = try Containers.open(MemoryStore(whole.bytes))
    #expect(expected.packetCount == source.packets.count)
    for number in 0..<whole.writeCount {
      let store = FailingStore(failing: number..<number + 1, isSparse: true)
      let failures = Failures()
      write(source, recording.type, to: store, failures)
      guard store.writeCount > number + 1 else { continue }
      let copy = try Containers.open(MemoryStore(store.bytes))
      let table = try #require(copy.packets)
      #expect(table.count == source.packets.count, "write \(number)")
      #expect(copy.frameCount == expected.frameCount, "write \(number)")
      for index in 0..<min(table.count, source.packets.count) {
        var bytes = [UInt8](repeating: 0, count: table.size(index))
        try bytes.withUnsafeMutableBytes { try copy.readPacket(index, into: $0) }
        #expect(bytes == source.packets[index].bytes, "write \(number), packet \(index)")
      }
    }
  }

  @Test("are reported if the disk stays full", arguments: kinds)
  func always(recording: Recording) throws {
    let source = try Source(recording)
    let whole = FailingStore(failing: 0..<0, isSparse: true)
    write(source, recording.type, to: whole, Failures())
    for number in 0..<whole.writeCount {
      let store = FailingStore(failing: number..<Int.max, isSparse: true)
      let failures = Failures()
      write(source, recording.type, to: store, failures)
      #expect(store.writeCount <= number + 1 || !failures.all.isEmpty, "write \(number)")
      _ = try? Containers.open(MemoryStore(store.bytes))
    }
  }
}
