// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Writes a new MPEG-4 file: fragments while it grows, so that a truncated file is readable up to
/// its end, and finally one table of all packets.
///
/// The fragments follow a free box of sixteen bytes. When the table has been written after them,
/// the free box becomes the header of one sound box that encloses them all: a single write turns
/// the fragmented file into a plain one.
final class MP4Writer {
  /// Pending bytes that trigger a fragment; a second of sound triggers one too.
  private static let fragmentBytes = 1 << 18
  private static let trackID: UInt32 = 1

  /// The position of the next box.
  private(set) var end: Int
  private(set) var isFinished = false
  /// The position of the free box that becomes the header of the sound.
  private let soundHead: Int
  private var hasMovie = false
  private var pending: [UInt8] = []
  /// The first pending packet, and the frames of all pending ones.
  private var first = 0
  private var pendingFrames = 0
  private var sequence: UInt32 = 0
  /// The position of each fragment's packets, and its first packet.
  private var chunks: [(offset: Int, first: Int)] = []

  init(_ file: Container) throws(AudioError) {
    var builder = ByteBuilder(isBigEndian: true)
    let brand: ChunkCode =
      switch file.kind.type {
      case kAudioFileM4AType: "M4A "
      case kAudioFileM4BType: "M4B "
      default: "mp42"
      }
    builder.box("ftyp") { type in
      type.code(brand)
      type.number(UInt32(0))
      for other in [brand, "mp42", "isom", "iso5"] as [ChunkCode] { type.code(other) }
    }
    soundHead = builder.bytes.count
    builder.box("free") { $0.zeros(8) }
    end = builder.bytes.count
    try file.store.write(builder.bytes, at: 0)
    if file.store.isSeekable { try file.store.resize(to: end) }
  }

  /// Appends a packet that is already in the file's table.
  func append(_ packet: UnsafeRawBufferPointer, _ file: Container) {
    pending += packet
    pendingFrames += file.packets.map { $0.frames($0.count - 1) } ?? 0
  }

  /// Removes the last pending packets, which have this many bytes and frames.
  func removeLast(bytes: Int, frames: Int) {
    pending.removeLast(min(bytes, pending.count))
    pendingFrames -= frames
  }

  /// Writes the pending packets if they are long enough for a fragment.
  func flushIfLong(_ file: Container) throws(AudioError) {
    let isLong = Double(pendingFrames) >= file.format.mSampleRate
    if isLong || pending.count >= Self.fragmentBytes { try flush(file) }
  }

  /// Writes the pending packets as a fragment. If that fails, they are still pending.
  func flush(_ file: Container) throws(AudioError) {
    guard let packets = file.packets, first < packets.count, !isFinished else { return }
    var builder = ByteBuilder(isBigEndian: true)
    if !hasMovie { builder.append(try MP4Movie(file, trackID: Self.trackID).fragmented) }
    let head = fragment(file, packets, offset: 0).count + 8
    builder.append(fragment(file, packets, offset: head))
    builder.number(UInt32(clamping: pending.count + 8))
    builder.code("mdat")
    let start = end + builder.bytes.count
    try file.store.write(builder.bytes + pending, at: end)
    hasMovie = true
    sequence += 1
    recordPosition(start, file)
  }

  /// Records that the pending packets were written at `start`.
  private func recordPosition(_ start: Int, _ file: Container) {
    chunks.append((start, first))
    var offset = start
    let count = file.packetCount
    for index in first..<count {
      file.packets?.move(index, to: offset)
      offset += file.packets?.size(index) ?? 0
    }
    if first == 0 { file.dataOffset = start }
    first = count
    end = offset
    pending.removeAll(keepingCapacity: true)
    pendingFrames = 0
  }

  private func fragment(_ file: Container, _ packets: PacketTable, offset: Int) -> [UInt8] {
    let isConstant = file.format.mFramesPerPacket > 0
    func units(_ frames: Int) -> Int { MP4Movie.units(frames, file.format) }
    var builder = ByteBuilder(isBigEndian: true)
    builder.box("moof") { fragment in
      fragment.fullBox("mfhd") { $0.number(sequence + 1) }
      fragment.box("traf") { track in
        // Positions count from this box.
        track.fullBox("tfhd", flags: 0x02_0000 | (isConstant ? 8 : 0)) { head in
          head.number(Self.trackID)
          if isConstant { head.number(UInt32(clamping: units(Int(file.format.mFramesPerPacket)))) }
        }
        track.fullBox("tfdt", version: 1) {
          $0.number(UInt64(clamping: units(packets.start(first))))
        }
        track.fullBox("trun", flags: isConstant ? 0x201 : 0x301) { run in
          run.number(UInt32(clamping: packets.count - first))
          run.number(Int32(clamping: offset))
          for index in first..<packets.count {
            if !isConstant { run.number(UInt32(clamping: units(packets.frames(index)))) }
            run.number(UInt32(clamping: packets.size(index)))
          }
        }
      }
    }
    return builder.bytes
  }

  /// Writes the table of all packets, which completes the file. After an error it can be repeated.
  func finish(_ file: Container, _ contents: MP4Metadata.Contents) throws(AudioError) {
    if !hasMovie, file.store.isSeekable, !pending.isEmpty {
      // No fragment was written yet: all packets can be written directly.
      try file.store.write(pending, at: end)
      recordPosition(end, file)
    } else {
      try flush(file)
    }
    guard file.store.isSeekable else {
      isFinished = true
      return
    }
    let movie = try MP4Movie(file, trackID: Self.trackID).whole(chunks, contents)
    try file.store.write(movie, at: end)
    try file.store.resize(to: end + movie.count)
    var head = ByteBuilder(isBigEndian: true)
    head.number(UInt32(1))
    head.code("mdat")
    head.number(UInt64(clamping: end - soundHead))
    try file.store.write(head.bytes, at: soundHead)
    isFinished = true
  }
}
