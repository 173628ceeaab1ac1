// SPDX-License-Identifier: Apache-2.0
package import CAudioToolbox
import SignalProcessing

/// A buffer of a queue; it owns the buffer's memory.
final class QueueBuffer {
  let reference: AudioQueueBufferRef
  private let memory = OwnedMemory()
  /// Whether the buffer is enqueued. Guarded by the queue's `lock`.
  var isEnqueued = false
  /// Descriptions of recorded packets, when the program's buffer has no room for them.
  private(set) var ownDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  private(set) var ownCapacity = 0

  /// Allocates this many bytes, and room for this many descriptions.
  init(byteCount: UInt32, descriptionCount: UInt32) {
    // Aligned for vectors of any kind.
    let data = UnsafeMutableRawPointer(memory.array(Int(byteCount), of: UInt8(0)))
    reference = memory.cell(
      AudioQueueBuffer(
        mAudioDataBytesCapacity: byteCount, mAudioData: data, mAudioDataByteSize: 0,
        mUserData: nil, mPacketDescriptionCapacity: descriptionCount,
        mPacketDescriptions: descriptionCount > 0
          ? memory.array(Int(descriptionCount), of: AudioStreamPacketDescription()) : nil,
        mPacketDescriptionCount: 0))
  }

  deinit { memory.deallocate() }

  /// Memory for `count` descriptions: the buffer's, or else our own.
  func descriptions(_ count: Int) -> (
    memory: UnsafeMutablePointer<AudioStreamPacketDescription>, capacity: Int
  ) {
    if let memory = reference.pointee.mPacketDescriptions {
      return (memory, Int(reference.pointee.mPacketDescriptionCapacity))
    }
    if let ownDescriptions { return (ownDescriptions, ownCapacity) }
    let made = memory.array(count, of: AudioStreamPacketDescription())
    (ownDescriptions, ownCapacity) = (made, count)
    return (made, count)
  }
}

/// Options of `AudioQueueEnqueueBufferWithParameters`.
package struct BufferOptions {
  package var trimStart = 0
  package var trimEnd = 0
  package var parameters: [AudioQueueParameterEvent] = []
  /// Frames since the start of the queue.
  package var startFrame: Int?

  package init() {}
}

/// A buffer that is enqueued for playback.
final class EnqueuedBuffer {
  let buffer: QueueBuffer
  let byteCount: Int
  /// A copy of the descriptions that the program passed or put in the buffer; empty when all
  /// packets have the same size.
  let descriptions: [AudioStreamPacketDescription]
  let options: BufferOptions
  /// The expected number of decoded frames; 0 when unknown.
  let frameCount: Int
  /// Frames decoded so far; nil before the start. The decoding thread sets it, holding the queue's
  /// `lock`.
  var decoded: Int?

  init(
    _ buffer: QueueBuffer, descriptions: [AudioStreamPacketDescription], options: BufferOptions,
    format: AudioStreamBasicDescription
  ) {
    self.buffer = buffer
    byteCount = Int(buffer.reference.pointee.mAudioDataByteSize)
    self.descriptions = descriptions
    self.options = options
    if format.mBytesPerPacket > 0 {
      frameCount = byteCount / Int(format.mBytesPerPacket) * Int(format.mFramesPerPacket)
    } else {
      frameCount = descriptions.reduce(0) {
        $0
          + Int(
            $1.mVariableFramesInPacket > 0 ? $1.mVariableFramesInPacket : format.mFramesPerPacket)
      }
    }
  }

  /// The number of its frames that are played, after trimming.
  var playedFrames: Int { max(0, frameCount - options.trimStart - options.trimEnd) }

  /// The range of decoded frames that is played, of `count` frames that begin at frame `first` of
  /// the buffer.
  func playedRange(from first: Int, count: Int) -> Range<Int> {
    let start = min(max(options.trimStart - first, 0), count)
    guard options.trimEnd > 0, frameCount > 0 else { return start..<count }
    let end = min(max(frameCount - options.trimEnd - first, 0), count)
    return start..<max(start, end)
  }
}
