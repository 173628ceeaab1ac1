// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// Delays the samples of one connection by some frames, in place and in any format, so that
/// branches that meet in a unit arrive together.
package final class DelayLine: @unchecked Sendable {
  package let frames: Int
  package let format: StreamFormat
  let line: UnsafeMutablePointer<Line>

  /// [control thread] A line of `frames` frames of `format`, filled with silence.
  package init(frames: Int, format: StreamFormat) {
    self.frames = frames
    self.format = format
    line = .cell(Line(frames, format))
  }

  deinit { line.endCell() }

  /// The render half, used by the thread that renders the destination unit.
  struct Line: ~Copyable {
    private let length: Int
    private let bytesPerFrame: Int
    private let bufferCount: Int
    private let memory: UnsafeMutableRawPointer
    private var position = 0
    /// The number of silent frames since the last sound. From the line's length on, the whole line
    /// is silent.
    private var silentFrames: Int

    init(_ frames: Int, _ format: StreamFormat) {
      length = frames
      silentFrames = frames
      bytesPerFrame = format.bytesPerFrame
      bufferCount = format.bufferCount
      let size = frames * bytesPerFrame * bufferCount
      memory = .allocate(byteCount: max(size, 1), alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    deinit { memory.deallocate() }

    /// [render thread] Stores the pulled samples of `buffer` and replaces them by the delayed ones.
    @_noLocks
    mutating func exchange(_ buffer: BusBuffer, _ frames: Int, _ pulled: inout PullResult) {
      // Shared memory must not be changed.
      if pulled.isShared { buffer.copyToOwnMemory(frames) }
      pulled.isShared = false
      if pulled.isSilent {
        if silentFrames >= length { return }
        buffer.clear(frames)
        silentFrames += frames
        pulled.isSilent = false
      } else {
        silentFrames = 0
      }
      var done = 0
      while done < frames {
        let count = min(frames - done, length - position)
        for index in 0..<bufferCount {
          let data = buffer.data(index)
          let stored = memory + (index * length + position) * bytesPerFrame
          Self.swap(data + done * bytesPerFrame, stored, count * bytesPerFrame)
        }
        position = position + count == length ? 0 : position + count
        done += count
      }
    }

    @_noLocks
    private static func swap(
      _ left: UnsafeMutableRawPointer, _ right: UnsafeMutableRawPointer, _ bytes: Int
    ) {
      var byte = 0
      while byte + 4 <= bytes {
        let word = left.loadUnaligned(fromByteOffset: byte, as: UInt32.self)
        let other = right.loadUnaligned(fromByteOffset: byte, as: UInt32.self)
        left.storeBytes(of: other, toByteOffset: byte, as: UInt32.self)
        right.storeBytes(of: word, toByteOffset: byte, as: UInt32.self)
        byte += 4
      }
      while byte < bytes {
        let one = left.load(fromByteOffset: byte, as: UInt8.self)
        left.storeBytes(
          of: right.load(fromByteOffset: byte, as: UInt8.self), toByteOffset: byte, as: UInt8.self)
        right.storeBytes(of: one, toByteOffset: byte, as: UInt8.self)
        byte += 1
      }
    }
  }
}
