// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
package import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// A buffer of a queue; it owns the buffer's memory.
final class QueueBuffer: @unchecked Sendable {
  let reference: AudioQueueBufferRef
  // What the buffer's own fields said at the beginning: the program may change them.
  let data: UnsafeMutableRawPointer
  let capacity: Int
  private let packets: UnsafeMutablePointer<AudioStreamPacketDescription>?
  private let packetCapacity: Int
  private let memory = OwnedMemory()
  // Guarded by the queue's `lock`.
  /// Whether the buffer is enqueued, or being rendered into.
  var isEnqueued = false
  /// Whether the program has freed the buffer; callbacks that are due are not called.
  private var isFreed = false
  /// The threads that are inside a callback for the buffer.
  private var callers: [UInt64] = []
  /// Descriptions of recorded packets, when the program's buffer has no room for them.
  private(set) var ownDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  private(set) var ownCapacity = 0

  /// Allocates this many bytes, and room for this many descriptions.
  init(byteCount: UInt32, descriptionCount: UInt32) {
    // Aligned for vectors of any kind.
    data = UnsafeMutableRawPointer(memory.array(Int(byteCount), of: UInt8(0)))
    capacity = Int(byteCount)
    packetCapacity = Int(descriptionCount)
    packets =
      packetCapacity > 0
      ? memory.array(packetCapacity, of: AudioStreamPacketDescription()) : nil
    reference = memory.cell(
      AudioQueueBuffer(
        mAudioDataBytesCapacity: byteCount, mAudioData: data, mAudioDataByteSize: 0,
        mUserData: nil, mPacketDescriptionCapacity: descriptionCount,
        mPacketDescriptions: packets, mPacketDescriptionCount: 0))
  }

  deinit { memory.deallocate() }

  // MARK: Callbacks

  /// Frees the buffer, unless it is enqueued or another thread is inside its callback.
  func free() throws(AudioError) {
    guard !isEnqueued else { throw .queueBufferInQueue }
    guard callers.allSatisfy({ $0 == rt_thread_id() }) else {
      throw .queueBufferInQueue.because("another thread is inside the buffer's callback")
    }
    isFreed = true
  }

  /// Begins a callback for the buffer on this thread; false if the program has freed it.
  func beginCallback() -> Bool {
    guard !isFreed else { return false }
    callers.append(rt_thread_id())
    return true
  }

  /// Ends a callback on this thread.
  func endCallback() {
    if let index = callers.lastIndex(of: rt_thread_id()) { callers.remove(at: index) }
  }

  // MARK: Contents

  /// The number of bytes that the program has put into the buffer.
  func byteCount() throws(AudioError) -> Int {
    let count = Int(reference.pointee.mAudioDataByteSize)
    guard count > 0 else { throw .queueBufferEmpty }
    guard count <= capacity else {
      throw .queueBuffer.because("\(count) bytes in a buffer of \(capacity)")
    }
    return count
  }

  /// The descriptions that the program has put into the buffer.
  func ownPackets() throws(AudioError) -> [AudioStreamPacketDescription] {
    let count = Int(reference.pointee.mPacketDescriptionCount)
    guard let packets, count > 0 else { return [] }
    guard count <= packetCapacity else {
      throw .queueBuffer.because(
        "\(count) packet descriptions in a buffer with room for \(packetCapacity)")
    }
    return Array(UnsafeBufferPointer(start: packets, count: count))
  }

  /// Whether it has room for packet descriptions.
  var hasPacketMemory: Bool { packets != nil }

  /// Memory for `count` descriptions: the buffer's, or else our own.
  func descriptions(_ count: Int) -> (
    memory: UnsafeMutablePointer<AudioStreamPacketDescription>, capacity: Int
  ) {
    if let packets { return (packets, packetCapacity) }
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
  /// Whether to calculate the time at which the buffer will begin.
  package var reportsStart = false

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
    _ buffer: QueueBuffer, byteCount: Int, descriptions: [AudioStreamPacketDescription],
    options: BufferOptions, format: AudioStreamBasicDescription
  ) {
    self.buffer = buffer
    self.byteCount = byteCount
    self.descriptions = descriptions
    self.options = options
    let framesPerPacket = Outside(format.mFramesPerPacket)
    let frames =
      if format.mBytesPerPacket > 0 {
        Outside(byteCount) / Outside(format.mBytesPerPacket) * framesPerPacket
      } else {
        descriptions.reduce(Outside(0)) {
          $0
            + ($1.mVariableFramesInPacket > 0
              ? Outside($1.mVariableFramesInPacket) : framesPerPacket)
        }
      }
    // Descriptions may claim any number; this one is unknown.
    frameCount = frames.upTo(Self.mostFrames) ?? 0
  }

  /// A buffer as the program enqueues it, with the packet descriptions that it passes, or else those
  /// in the buffer.
  convenience init(
    _ buffer: QueueBuffer, _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>,
    options: BufferOptions, format: AudioStreamBasicDescription
  ) throws(AudioError) {
    let byteCount = try buffer.byteCount()
    self.init(
      buffer, byteCount: byteCount,
      descriptions: try Self.packets(of: buffer, byteCount, descriptions, format), options: options,
      format: format)
  }

  private static func packets(
    of buffer: QueueBuffer, _ byteCount: Int,
    _ given: UnsafeBufferPointer<AudioStreamPacketDescription>,
    _ format: AudioStreamBasicDescription
  ) throws(AudioError) -> [AudioStreamPacketDescription] {
    guard format.mFormatID != kAudioFormatLinearPCM else { return [] }
    guard given.count <= byteCount else {
      throw .invalidArgument.because("\(given.count) packets in \(byteCount) bytes")
    }
    if !given.isEmpty { return Array(given) }
    let own = try buffer.ownPackets()
    if !own.isEmpty { return own }
    guard format.mBytesPerPacket > 0 else {
      throw .invalidArgument.because(
        "\(StreamFormat.describe(format)): packets differ in size, and there are no descriptions")
    }
    return []
  }

  /// More frames than a buffer can have: the limit of a start time, too.
  private static let mostFrames = 1_000_000_000_000_000

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
