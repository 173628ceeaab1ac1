// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CRealTime
import Foundation
import Synchronization

/// Runs `body` as if in a device's cycle, where nothing may wait.
func asDevice<Result>(_ body: () throws -> Result) rethrows -> Result {
  rt_current().pointee.cycles += 1
  defer { rt_current().pointee.cycles -= 1 }
  return try body()
}

/// A WAV file of Float32 in memory, whose reads can be blocked.
final class SlowFile: @unchecked Sendable {
  private var bytes: [UInt8]
  private let isStuck = Atomic(false)
  private let reads = Atomic(0)
  private(set) var handle: AudioFileID?

  var id: AudioFileID { handle.unsafelyUnwrapped }
  var readCount: Int { reads.load(ordering: .relaxed) }

  /// The sample of a frame: never 0.
  static func value(_ frame: Int) -> Float { Float(frame % 65_536 + 1) / 65_536 }

  init(frames: Int) {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = 4 * frames
    bytes = Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
    bytes += number(3, 2) + number(1, 2) + number(48_000, 4) + number(192_000, 4)
    bytes += number(4, 2) + number(32, 2) + Array("data".utf8) + number(size, 4)
    for frame in 0..<frames { bytes += number(Int(Self.value(frame).bitPattern), 4) }
    let read: AudioFile_ReadProc = { context, position, requestedCount, buffer, count in
      let file = Unmanaged<SlowFile>.fromOpaque(context).takeUnretainedValue()
      while file.isStuck.load(ordering: .relaxed) { usleep(500) }
      let start = min(Int(position), file.bytes.count)
      let end = min(start + Int(requestedCount), file.bytes.count)
      file.bytes.withUnsafeBytes { all in
        buffer.copyMemory(from: all.baseAddress.unsafelyUnwrapped + start, byteCount: end - start)
      }
      count.pointee = UInt32(end - start)
      file.reads.wrappingAdd(1, ordering: .relaxed)
      return noErr
    }
    let size64: AudioFile_GetSizeProc = { context in
      Int64(Unmanaged<SlowFile>.fromOpaque(context).takeUnretainedValue().bytes.count)
    }
    AudioFileOpenWithCallbacks(
      Unmanaged.passUnretained(self).toOpaque(), read, nil, size64, nil, kAudioFileWAVEType,
      &handle)
  }

  deinit { if let handle { AudioFileClose(handle) } }

  func setStuck(_ stuck: Bool) { isStuck.store(stuck, ordering: .relaxed) }
}
