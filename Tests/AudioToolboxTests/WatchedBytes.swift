// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// A file in memory, accessed through callbacks that record their calls.
final class WatchedBytes: @unchecked Sendable {
  let watch = FunctionWatch()
  private let all = Mutex([UInt8]())

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  var count: Int { all.withLock { $0.count } }

  private static func of(_ context: UnsafeMutableRawPointer) -> WatchedBytes {
    Unmanaged<WatchedBytes>.fromOpaque(context).takeUnretainedValue()
  }

  static let read: AudioFile_ReadProc = { context, position, requested, memory, count in
    let bytes = of(context)
    bytes.watch.wasCalled("read")
    count.pointee = bytes.all.withLock { all in
      let start = min(all.count, Int(position))
      let part = all[start..<min(all.count, start + Int(requested))]
      memory.copyMemory(from: Array(part), byteCount: part.count)
      return UInt32(part.count)
    }
    return noErr
  }

  static let write: AudioFile_WriteProc = { context, position, requested, memory, count in
    let bytes = of(context)
    bytes.watch.wasCalled("write")
    let part = Array(UnsafeRawBufferPointer(start: memory, count: Int(requested)))
    bytes.all.withLock { all in
      let end = Int(position) + part.count
      if end > all.count { all += [UInt8](repeating: 0, count: end - all.count) }
      all.replaceSubrange(Int(position)..<end, with: part)
    }
    count.pointee = requested
    return noErr
  }

  static let size: AudioFile_GetSizeProc = { context in
    let bytes = of(context)
    bytes.watch.wasCalled("size")
    return Int64(bytes.count)
  }

  static let setSize: AudioFile_SetSizeProc = { context, size in
    let bytes = of(context)
    bytes.watch.wasCalled("set size")
    bytes.all.withLock { all in
      let more = max(0, Int(size) - all.count)
      all = Array((all + [UInt8](repeating: 0, count: more)).prefix(Int(size)))
    }
    return noErr
  }

  /// Two channels of 16 bits.
  static let format = AudioStreamBasicDescription(
    mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
    mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)

  /// Creates a file in these bytes.
  func create(_ type: AudioFileTypeID) throws -> AudioFileID {
    var format = Self.format
    var file: AudioFileID?
    let status = AudioFileInitializeWithCallbacks(
      pointer, Self.read, Self.write, Self.size, Self.setSize, type, &format, [], &file)
    try #require(status == noErr)
    return try #require(file)
  }

  /// Opens the file in these bytes.
  func open() throws -> AudioFileID {
    var file: AudioFileID?
    let status = AudioFileOpenWithCallbacks(
      pointer, Self.read, Self.write, Self.size, Self.setSize, 0, &file)
    try #require(status == noErr)
    return try #require(file)
  }
}
