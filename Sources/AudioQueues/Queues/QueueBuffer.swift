// SPDX-License-Identifier: Apache-2.0
package import CAudioToolbox
import SignalProcessing

/// A buffer of a queue, and its owner.
final class QueueBuffer {
  let reference: AudioQueueBufferRef
  private let memory = OwnedMemory()
  /// Whether the queue owns it now. Guarded by the queue's monitor.
  var isEnqueued = false
  /// For recorded packets, when the buffer has no room for descriptions.
  private(set) var ownDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  private(set) var ownCapacity = 0

  /// Memory of this many bytes, with room for this many descriptions.
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

  /// Room for `count` descriptions: the buffer's own, else the queue's.
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

/// A buffer to be played.
final class PlayedBuffer {
  let buffer: QueueBuffer
  let byteCount: Int
  /// A copy of the descriptions that the program passed, or put in the buffer; empty when packets
  /// have one size.
  let descriptions: [AudioStreamPacketDescription]
  let options: BufferOptions
  /// Frames that it should decode to; 0 when unknown.
  let frameCount: Int
  /// Frames decoded so far; nil before the start. The feeding thread sets it inside the monitor.
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

  /// Frames of it that are played.
  var heardFrames: Int { max(0, frameCount - options.trimStart - options.trimEnd) }

  /// Which of `count` decoded frames, the first of which has number `first`, are played.
  func heard(from first: Int, count: Int) -> Range<Int> {
    let start = min(max(options.trimStart - first, 0), count)
    guard options.trimEnd > 0, frameCount > 0 else { return start..<count }
    let end = min(max(frameCount - options.trimEnd - first, 0), count)
    return start..<max(start, end)
  }
}
