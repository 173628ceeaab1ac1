// SPDX-License-Identifier: Apache-2.0
package import CAudioToolbox

/// A buffer of a queue, and whose it is.
final class QueueBuffer {
  let reference: AudioQueueBufferRef
  /// Whether it is the queue's now. Guarded by the queue's monitor.
  var isEnqueued = false
  /// For packets that are recorded, where the buffer has no room for descriptions.
  private(set) var ownDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  private(set) var ownCapacity = 0

  /// Memory of so many bytes, with room for so many descriptions.
  init(byteCount: UInt32, descriptionCount: UInt32) {
    reference = .allocate(capacity: 1)
    // Vectors of any kind may lie in it.
    let data = UnsafeMutableRawPointer.allocate(byteCount: max(1, Int(byteCount)), alignment: 64)
    data.initializeMemory(as: UInt8.self, repeating: 0, count: Int(byteCount))
    var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    if descriptionCount > 0 {
      let memory = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
        capacity: Int(descriptionCount))
      memory.initialize(repeating: .init(), count: Int(descriptionCount))
      descriptions = memory
    }
    reference.initialize(
      to: AudioQueueBuffer(
        mAudioDataBytesCapacity: byteCount, mAudioData: data, mAudioDataByteSize: 0,
        mUserData: nil, mPacketDescriptionCapacity: descriptionCount,
        mPacketDescriptions: descriptions, mPacketDescriptionCount: 0))
  }

  deinit {
    reference.pointee.mAudioData.deallocate()
    reference.pointee.mPacketDescriptions?.deallocate()
    ownDescriptions?.deallocate()
    reference.deallocate()
  }

  /// Room for `count` descriptions: the buffer's own, else the queue's.
  func descriptions(_ count: Int) -> (
    memory: UnsafeMutablePointer<AudioStreamPacketDescription>, capacity: Int
  ) {
    if let memory = reference.pointee.mPacketDescriptions {
      return (memory, Int(reference.pointee.mPacketDescriptionCapacity))
    }
    if let ownDescriptions { return (ownDescriptions, ownCapacity) }
    let memory = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: count)
    memory.initialize(repeating: .init(), count: count)
    ownDescriptions = memory
    ownCapacity = count
    return (memory, count)
  }
}

/// What `AudioQueueEnqueueBufferWithParameters` says of a buffer.
package struct BufferOptions {
  package var trimStart = 0
  package var trimEnd = 0
  package var parameters: [AudioQueueParameterEvent] = []
  /// Frames since the start of the queue.
  package var startFrame: Int?

  package init() {}
}

/// A buffer that is to be played.
final class PlayedBuffer {
  let buffer: QueueBuffer
  let byteCount: Int
  /// A copy of what the program gave, or said in the buffer; empty where packets have one size.
  let descriptions: [AudioStreamPacketDescription]
  let options: BufferOptions
  /// Frames that it should decode to; 0 where that cannot be told.
  let frameCount: Int
  /// Frames that it has decoded to; nil before it has begun.
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

  /// Frames that are heard of it.
  var heardFrames: Int { max(0, frameCount - options.trimStart - options.trimEnd) }

  /// Which of `count` decoded frames, the first of which is number `first`, are heard.
  func heard(from first: Int, count: Int) -> Range<Int> {
    let start = min(max(options.trimStart - first, 0), count)
    guard options.trimEnd > 0, frameCount > 0 else { return start..<count }
    let end = min(max(frameCount - options.trimEnd - first, 0), count)
    return start..<max(start, end)
  }
}
