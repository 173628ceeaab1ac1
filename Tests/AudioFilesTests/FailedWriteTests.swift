// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Testing

/// A write that fails, at any of the writes of a file, is reported; the file can be closed and read.
@Suite("Failed writes")
struct FailedWriteTests {
  private static let chunk: ChunkCode = "abcd"

  // MARK: Packets of one size

  /// Writes a file with metadata before, within and after its sound; a piece of sound that cannot
  /// be written is written again.
  private func write(_ sample: Samples.Case, to store: FailingStore, _ failures: Failures) {
    guard let file = try? Containers.create(store, sample.type, sample.format) else { return }
    let markers = [Marker(frame: 3, name: "A mark", id: 1), Marker(frame: 9, name: "B", id: 2)]
    func tolerant(_ step: () throws -> Void) {
      do { try step() } catch {
        guard (error as? AudioError)?.status != kAudioFileOperationNotSupportedError else { return }
        failures.attempt { throw error }
      }
    }
    tolerant { try file.setMarkers(markers) }
    tolerant { try file.setInfo(["title": "A title"]) }
    for piece in 0..<3 {
      let part = sound(file, piece)
      for _ in 0..<2 {
        let isWritten = failures.attempt {
          try part.withUnsafeBytes { try file.writeData($0, at: piece * part.count) }
        }
        if isWritten { break }
      }
      if sample.type != kAudioFileNextType {
        tolerant { try file.setChunk(Self.chunk, 0, [UInt8](repeating: 5, count: 40 + piece)) }
      }
    }
    failures.attempt { try file.close() }
  }

  private func sound(_ file: Container, _ piece: Int) -> [UInt8] {
    let count = Int(file.format.mBytesPerPacket) * 33
    return Array(Samples.bytes(count * 3)[piece * count..<(piece + 1) * count])
  }

  @Test("lose nothing that was written successfully", arguments: Samples.all)
  func constantSize(sample: Samples.Case) throws {
    let whole = FailingStore(failing: 0..<0, isSparse: true)
    write(sample, to: whole, Failures())
    for number in 0..<whole.writeCount {
      let store = FailingStore(failing: number..<number + 1, isSparse: true)
      let failures = Failures()
      write(sample, to: store, failures)
      guard store.writeCount > number + 1 else { continue }
      #expect(!failures.all.isEmpty, "write \(number)")
      let copy = try Containers.open(MemoryStore(store.bytes))
      #expect(copy.packetCount == 99, "write \(number)")
      let bytes = try copy.store.bytes(at: copy.dataOffset, copy.dataByteCount)
      #expect(bytes == Samples.bytes(bytes.count), "write \(number)")
    }
  }

  @Test("keep what was written before, if the disk stays full", arguments: Samples.all)
  func fullDisk(sample: Samples.Case) throws {
    let whole = FailingStore(failing: 0..<0, isSparse: true)
    write(sample, to: whole, Failures())
    for number in 0..<whole.writeCount {
      let store = FailingStore(failing: number..<Int.max, isSparse: true)
      let failures = Failures()
      write(sample, to: store, failures)
      guard store.writeCount > number + 1 else { continue }
      #expect(!failures.all.isEmpty, "write \(number)")
      let copy = try Containers.open(MemoryStore(store.bytes))
      var bytes = try copy.store.bytes(at: copy.dataOffset, copy.dataByteCount)
      // Without its size, the bytes that fill the last eight of a Wave64 are sound, too.
      if sample.type == kAudioFileWave64Type {
        bytes.removeLast(min(7, bytes.reversed().prefix { $0 == 0 }.count))
      }
      #expect(bytes == Array(Samples.bytes(3 * bytes.count).prefix(bytes.count)))
    }
  }

  // MARK: Packets of different sizes

  private func format(framesPerPacket: UInt32) -> AudioStreamBasicDescription {
    var format = Samples.packed(framesPerPacket == 0 ? Recording.vorbis : kAudioFormatOpus)
    format.mSampleRate = 48_000
    format.mFramesPerPacket = framesPerPacket
    return format
  }

  /// Packets of different sizes, long enough that some are written before the end.
  private static let packets: [[UInt8]] = (0..<60).map { number in
    [0xFC] + [UInt8](repeating: UInt8(number), count: 400 + number * 7 % 300)
  }

  private func writePackets(
    to store: FailingStore, _ format: AudioStreamBasicDescription, _ failures: Failures
  ) {
    guard let file = try? Containers.create(store, kAudioFileCAFType, format) else { return }
    let object = AudioFileObject(writing: file)
    for (number, packet) in Self.packets.enumerated() {
      var description = AudioStreamPacketDescription(
        mStartOffset: 0, mVariableFramesInPacket: 960, mDataByteSize: UInt32(packet.count))
      for _ in 0..<2 {
        let isWritten = failures.attempt {
          try packet.withUnsafeBytes { bytes in
            _ = try object.writePackets(
              from: Int64(number), count: 1, bytes, descriptions: &description)
          }
        }
        if isWritten { break }
      }
      if number == 30 {
        failures.attempt { try file.setChunk(Self.chunk, 0, [1, 2, 3]) }
      }
    }
    failures.attempt { try file.close() }
  }

  @Test("lose no packet of a CAF file", arguments: [UInt32(0), 960], [true, false])
  func packets(framesPerPacket: UInt32, isSparse: Bool) throws {
    let format = format(framesPerPacket: framesPerPacket)
    let whole = FailingStore(failing: 0..<0, isSparse: isSparse)
    writePackets(to: whole, format, Failures())
    for number in 0..<whole.writeCount {
      let store = FailingStore(failing: number..<number + 1, isSparse: isSparse)
      let failures = Failures()
      writePackets(to: store, format, failures)
      guard store.writeCount > number + 1 else { continue }
      #expect(!failures.all.isEmpty, "write \(number)")
      let copy = try Containers.open(MemoryStore(store.bytes))
      #expect(copy.packetCount == Self.packets.count, "write \(number)")
      let table = try #require(copy.packets)
      for (index, packet) in Self.packets.enumerated() where index < table.count {
        let bytes = try copy.store.bytes(at: table.offset(index), table.size(index))
        #expect(bytes == packet, "write \(number), packet \(index)")
      }
    }
  }

  // MARK: Extended files

  /// The formats that an encoder writes to a CAF file, and packets of one size.
  static let encoded: [Recording] =
    Recording.all.filter { $0.type == kAudioFileCAFType } + [
      .init(kAudioFileCAFType, kAudioFormatAppleIMA4), .init(kAudioFileCAFType, kAudioFormatULaw),
      .init(kAudioFileAIFCType, kAudioFormatAppleIMA4),
      .init(kAudioFileWAVEType, kAudioFormatALaw), .init(kAudioFileWave64Type, kAudioFormatULaw),
      .init(kAudioFileNextType, kAudioFormatULaw),
    ]

  private static let pieces = 4
  private static let pieceFrames = 3_000

  /// Writes frames; changes the client's format in the middle of some files.
  private func record(
    _ recording: Recording, to program: FailingProgram, isAsynchronous: Bool = false,
    _ failures: Failures
  ) {
    guard
      let object = try? AudioFileObject.create(
        program.callbacks, recording.type, recording.format, aligns: false),
      let handle = try? AudioFileObject.handles.insert(object)
    else { return }
    defer { failures.attempt { try AudioFileObject.close(handle) } }
    guard let extended = try? ExtendedFile.wrap(handle, isWriting: true) else { return }
    defer { failures.attempt { try ExtendedFile.dispose(extended) } }
    guard let file = ExtendedFile.handles.enter(extended)?.takeUnretainedValue() else { return }
    defer { ExtendedFile.handles.leave(extended) }
    func setClient() {
      let client = [
        Samples.pcm(
          32, kAudioFormatFlagIsFloat, rate: recording.rate, channels: recording.channels)
      ]
      failures.attempt {
        try client.withUnsafeBytes {
          try file.setProperty(kExtAudioFileProperty_ClientDataFormat, $0)
        }
      }
    }
    setClient()
    if isAsynchronous { failures.attempt { try file.prepareAsynchronousWrites() } }
    for piece in 0..<Self.pieces {
      var samples = recording.samples(piece * Self.pieceFrames..<(piece + 1) * Self.pieceFrames)
      failures.attempt {
        try samples.withUnsafeMutableBufferPointer { samples in
          var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
              mNumberChannels: recording.channels, mDataByteSize: UInt32(samples.count * 4),
              mData: samples.baseAddress))
          if isAsynchronous {
            // An error of earlier frames; it is reported again at the end.
            _ = file.writeAsynchronously(UInt32(Self.pieceFrames), &list)
          } else {
            try file.write(UInt32(Self.pieceFrames), &list)
          }
        }
      }
      if piece == 1, !isAsynchronous, recording.id == kAudioFormatAppleIMA4 { setClient() }
    }
  }

  @Test("of an encoder's packets lose no frame", arguments: encoded, [false, true])
  func encoders(recording: Recording, isAsynchronous: Bool) throws {
    let whole = FailingProgram(failing: 0..<0)
    record(recording, to: whole, isAsynchronous: isAsynchronous, Failures())
    let expected = try Containers.open(MemoryStore(whole.store.bytes))
    #expect(expected.frameCount >= Self.pieces * Self.pieceFrames)
    for number in 0..<whole.store.writeCount {
      let program = FailingProgram(failing: number..<number + 1)
      let failures = Failures()
      record(recording, to: program, isAsynchronous: isAsynchronous, failures)
      guard program.store.writeCount > number + 1 else { continue }
      #expect(!failures.all.isEmpty, "write \(number)")
      let copy = try Containers.open(MemoryStore(program.store.bytes))
      #expect(copy.frameCount == expected.frameCount, "write \(number)")
      #expect(copy.packetCount == expected.packetCount, "write \(number)")
    }
  }
}
