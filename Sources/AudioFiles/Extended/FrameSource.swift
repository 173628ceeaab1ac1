// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Supplies PCM at the file's rate: read directly, or decoded from packets, without the codec's
/// priming and padding.
package final class FrameSource {
  /// The output format: interleaved.
  package let format: AudioStreamBasicDescription
  package let frameCount: Int
  private static let cacheLine = 64

  private let file: AudioFileObject
  private let decoder: FileDecoder?
  private let frameBytes: Int
  /// Where the sound began in the file when it was opened.
  private let dataOffset: Int
  /// Frames before the sound, where packets are frames.
  private let primingFrames: Int
  /// The bytes of a piece, and its memory, which large requests do not need.
  private let pieceByteCount: Int
  private var piece: UnsafeMutableRawBufferPointer?
  /// The next frame.
  private var position = 0
  /// Frames read ahead from that position, their byte offset in the piece, and the file's change
  /// count before the read.
  private var aheadCount = 0
  private var aheadOffset = 0
  private var aheadChanges = 0
  /// The frame after the last one read. A read that begins there is regarded as sequential, and
  /// more is read ahead.
  private var lastEnd = 0

  /// [control thread] Creates a source that reads a file in pieces of at most this many bytes.
  package init(_ file: AudioFileObject, _ bufferByteCount: Int) throws(AudioError) {
    self.file = file
    let container = file.container
    frameCount = container.frameCount
    dataOffset = container.dataOffset
    if container.format.mFormatID == kAudioFormatLinearPCM {
      format = container.format
      decoder = nil
      primingFrames = min(max(0, container.packetInfo?.primingFrames ?? 0), Limits.count)
    } else {
      let made = try FileDecoder(file)
      format = made.format
      decoder = made
      primingFrames = 0
    }
    frameBytes = Int(format.mBytesPerPacket)
    pieceByteCount = max(bufferByteCount, frameBytes)
  }

  deinit { piece?.deallocate() }

  /// The memory of a piece; allocated by the first call. It has room for a piece behind the first
  /// bytes of a cache line.
  private func makePiece() -> UnsafeMutableRawBufferPointer {
    if let piece { return piece }
    let made = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pieceByteCount + Self.cacheLine, alignment: Self.cacheLine)
    piece = made
    return made
  }

  /// [one thread at a time] Moves to a frame.
  package func seek(to frame: Int) throws(AudioError) {
    position = min(max(0, frame), frameCount)
    aheadCount = 0
    try decoder?.seek(to: position)
  }

  /// [one thread at a time] Returns the next frames, at most as many as requested; none at the end.
  /// They are valid until the next call.
  package func next(_ requested: Int) throws(AudioError) -> (
    frames: Int, memory: UnsafeMutableRawPointer?
  ) {
    if aheadCount == 0 || aheadChanges != file.changeCount { try readAhead(requested) }
    let count = max(0, min(requested, aheadCount))
    let found = piece?.baseAddress.map { $0 + aheadOffset }
    aheadCount -= count
    aheadOffset += count * frameBytes
    position += count
    return (count, found)
  }

  /// [one thread at a time] Fills memory with the next frames; returns their number, which is less
  /// than requested only at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    let requested = room.count / frameBytes
    // Large pieces are read directly; small ones are copied from a larger read. From 64 KB a system
    // call costs less than the copy.
    guard room.count < min(65_536, pieceByteCount / 2), decoder == nil else {
      aheadCount = 0
      let count = try read(requested, into: room)
      position += count
      lastEnd = position
      return count
    }
    var done = 0
    while done < requested {
      let (count, found) = try next(requested - done)
      guard count > 0, let found else { break }
      UnsafeMutableRawBufferPointer(rebasing: room[(done * frameBytes)...]).copyMemory(
        from: UnsafeRawBufferPointer(start: found, count: count * frameBytes))
      done += count
    }
    return done
  }

  /// Reads this many frames ahead, or more when reading is sequential.
  private func readAhead(_ requested: Int) throws(AudioError) {
    let room = pieceByteCount / frameBytes
    let count = min(requested, room)
    let isSequential = position == lastEnd && decoder == nil && count < room
    aheadCount = 0
    aheadOffset = offsetInCacheLine
    aheadChanges = file.changeCount
    let memory = UnsafeMutableRawBufferPointer(rebasing: makePiece()[aheadOffset...])
    // In a truncated file only a request for missing frames may fail, not reading ahead.
    if isSequential, let more = try? read(room, into: memory) {
      aheadCount = more
    } else {
      aheadCount = try read(count, into: memory)
    }
    lastEnd = position + aheadCount
  }

  /// Where in a cache line the next frame is in the file. The system copies a tenth faster to memory
  /// that is aligned like the file.
  private var offsetInCacheLine: Int {
    guard decoder == nil else { return 0 }
    return (dataOffset + byteOffset) % Self.cacheLine
  }

  /// The first byte of the next frame, counted from the first byte of the sound.
  private var byteOffset: Int { (position + primingFrames) * frameBytes }

  /// Reads at most this many frames from the current position.
  private func read(
    _ requested: Int, into bytes: UnsafeMutableRawBufferPointer
  ) throws(AudioError) -> Int {
    let count = min(requested, frameCount - position)
    guard count > 0 else { return 0 }
    let room = UnsafeMutableRawBufferPointer(rebasing: bytes[..<(count * frameBytes)])
    if let decoder { return try decoder.decode(count, into: room) }
    let start = byteOffset
    _ = try file.locked { container throws(AudioError) in
      try container.readData(room, at: start)
    }
    return count
  }
}

extension FrameSource: ConverterInput {
  package func supply(
    _ count: Int, _ list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> SuppliedPackets {
    let part = try next(count)
    list.pointee.mBuffers.mData = part.memory
    list.pointee.mBuffers.mDataByteSize = UInt32(clamping: part.frames) * format.mBytesPerPacket
    return SuppliedPackets(UInt32(clamping: part.frames))
  }
}
