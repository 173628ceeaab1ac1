// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Files of compressed sound")
struct CompressedFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static func distance(_ one: some Sequence<Float>, _ other: some Sequence<Float>) -> Float
  {
    zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// The RMS of the difference relative to that of the written samples.
  private static func error(_ found: [Float], _ written: [Float]) -> Double {
    var (wrong, all) = (0.0, 0.0)
    for (one, other) in zip(found, written) {
      wrong += Double(one - other) * Double(one - other)
      all += Double(other) * Double(other)
    }
    return (wrong / all).squareRoot()
  }

  @Test(
    "return as many frames as were written, with the same sound",
    arguments: Recording.all, [0, 1, 1_500, 50_000])
  func roundTrip(recording: Recording, frames: Int) throws {
    // A file that consists only of frames cannot be recognised without any.
    guard frames > 0 || ![kAudioFileMP3Type, kAudioFileAAC_ADTSType].contains(recording.type)
    else { return }
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, frames)
    let found = try Recording.read(path)
    let channels = Int(recording.channels)
    let written = recording.samples(0..<frames)
    if recording.isExact {
      #expect(found.count == written.count, "\(found.count / channels) frames")
      if recording.flags > 0 {
        #expect(Self.distance(found, written) <= recording.tolerance)
      } else if frames == 50_000 {
        #expect(Self.error(found, written) < 0.5, "\(Self.error(found, written))")
      }
    } else {
      #expect(found.count >= written.count)
      // It begins with the codec's priming, which this kind of file does not state.
      let sound = Array(found.dropFirst(1_024 * channels))
      if frames == 50_000 { #expect(Self.error(sound, written) < 0.5) }
    }
  }

  @Test(
    "are recognised by the expected type where frames begin late",
    arguments: [kAudioFileMP3Type, kAudioFileAAC_ADTSType])
  func lateFrames(type: AudioFileTypeID) throws {
    let recording = try #require(Recording.all.first { $0.type == type })
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, 20_000)
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let store = MemoryStore([UInt8](repeating: 0, count: 100_000) + sound)
    for hint in [0, kAudioFileWAVEType] {
      #expect(throws: AudioError.self) { try Containers.open(store, hint: hint) }
    }
    let file = try Containers.open(store, hint: type)
    #expect(file.kind.type == type)
    #expect(file.packetCount == (try Containers.open(MemoryStore(sound))).packetCount)
  }

  @Test("are read from any frame as in continuous reading", arguments: Recording.all)
  func seeking(recording: Recording) throws {
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, 60_000)
    let all = try Recording.read(path)
    let channels = Int(recording.channels)
    for frame in [0, 1, 1_023, 1_024, 5_000, 31_337, 59_998] {
      let found = try Recording.read(path, from: frame, 2_000)
      #expect(found.count == min(2_000, all.count / channels - frame) * channels)
      #expect(Self.distance(found, all.dropFirst(frame * channels)) < 0.01, "frame \(frame)")
    }
  }

  @Test("keep texts and a picture", arguments: Recording.all)
  func texts(recording: Recording) throws {
    let path = folder.path("a.\(recording.ending)")
    let info = ["title": "Tön", "artist": "An artist", "track number": "3/12", "year": "2024"]
    let picture = [0x89, 0x50, 0x4E, 0x47] + (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
    let hasPicture = recording.type != kAudioFileCAFType
    try recording.write(path, 5_000) { file in
      try file.setInfo(info)
      if hasPicture { try file.setArtwork(picture) }
    }
    func check() throws {
      let file = try Containers.open(FileStore(path))
      let found = try file.info
      #expect(found.filter { info[$0.key] != nil } == info)
      if hasPicture {
        let artwork = try file.artwork
        #expect(artwork == picture)
      }
    }
    try check()
    // Changing the texts of a finished file preserves the sound.
    guard recording.type != kAudioFileOggType else { return }
    let sound = try Recording.read(path)
    let other = "Another title, longer than the one that was there"
    let file = try Containers.open(FileStore(path, writable: true))
    try file.setInfo(info.merging(["title": other]) { $1 })
    try file.close()
    let again = try Containers.open(FileStore(path))
    let title = try again.info["title"]
    #expect(title == other)
    let after = try Recording.read(path)
    #expect(Self.distance(after, sound) < 0.01 && after.count == sound.count)
    if hasPicture {
      let artwork = try again.artwork
      #expect(artwork == picture)
    }
  }

  @Test("can be read up to the last flush after their program was killed", arguments: Recording.all)
  func killed(recording: Recording) throws {
    let path = folder.path("a.\(recording.ending)")
    let copy = folder.path("b.\(recording.ending)")
    let frames = Int(recording.rate) * 3
    try recording.write(path, frames) { _ in
    } after: { _ in
      // The file before it is closed.
      try FileManager.default.copyItem(atPath: path, toPath: copy)
    }
    let found = try Recording.read(copy).count / Int(recording.channels)
    #expect(found > frames - Int(recording.rate * 1.5), "\(found) of \(frames)")
    let whole = try Recording.read(path)
    // For lossy formats, the priming is not stored yet and is part of the output.
    if recording.flags > 0 {
      let part = try Recording.read(copy)
      #expect(Self.distance(whole, part) == 0)
    }
  }

  @Test("have the same sound after they are optimized", arguments: Recording.all)
  func optimized(recording: Recording) throws {
    let path = folder.path("a.\(recording.ending)")
    try recording.write(path, 60_000) { file in try file.setInfo(["title": "A title"]) }
    let before = try Recording.read(path)
    let file = try Containers.open(FileStore(path, writable: true))
    let isMovie = [kAudioFileM4AType, kAudioFileM4BType, kAudioFileMPEG4Type].contains(
      file.kind.type)
    #expect(file.isOptimized == !isMovie || recording.type == kAudioFileCAFType)
    try file.optimize()
    #expect(file.isOptimized)
    try file.close()
    let after = try Recording.read(path)
    #expect(after.count == before.count && Self.distance(after, before) < 0.01)
    let title = try Containers.open(FileStore(path)).info["title"]
    #expect(title == "A title")
    #expect(folder.names.count == 1, "\(folder.names)")
  }

  @Test("refuse packets of another kind")
  func foreignPackets() throws {
    for recording in Recording.all
    where [kAudioFileMP3Type, kAudioFileFLACType].contains(recording.type) {
      let path = folder.path("c.\(recording.ending)")
      let file = try Containers.create(
        FileStore(creating: path, erases: true), recording.type, recording.format)
      let bytes = [UInt8](repeating: 0x55, count: 500)
      let error = #expect(throws: AudioError.self) {
        try bytes.withUnsafeBufferPointer { bytes throws(AudioError) in
          try file.appendPackets(
            [.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 500)],
            from: UnsafeRawBufferPointer(bytes))
        }
        return
      }
      #expect(error?.status == kAudioFileInvalidPacketOffsetError)
      #expect(error?.explanation.contains(path) == true)
    }
  }

  @Test("are read although they claim more frames in a packet than its description can hold")
  func hugePackets() throws {
    var desc = ByteBuilder(isBigEndian: true)
    desc.number((48_000.0).bitPattern)
    desc.code("opus")
    for word in [0, 0, 0, 1, 0] as [UInt32] { desc.number(word) }
    var table = ByteBuilder(isBigEndian: true)
    for number in [1, 0, 0] as [UInt64] { table.number(number) }
    // A packet of three bytes and 2^35 - 1 frames.
    table.append([3, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
    var file = ByteBuilder(isBigEndian: true)
    file.code("caff")
    file.number(UInt32(0x1_0000))
    for (code, body) in [
      ("desc", desc.bytes), ("pakt", table.bytes), ("data", [0, 0, 0, 0, 1, 2, 3]),
    ] as [(ChunkCode, [UInt8])] {
      file.code(code)
      file.number(UInt64(body.count))
      file.append(body)
    }
    let object = AudioFileObject(
      reading: try Containers.open(MemoryStore(file.bytes, named: "a file")))
    var packet = AudioStreamPacketDescription()
    let read = try object.readPackets(
      from: 0, count: 1, into: nil, capacity: 10, descriptions: &packet)
    #expect(read.packets == 1 && packet.mDataByteSize == 3)
    #expect(packet.mVariableFramesInPacket == .max)
  }
}
