// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Supplies the packets of a buffer to a converter.
struct PacketFeed {
  /// The status that stops a converter when the buffer is used up but the stream continues.
  static let needsMore: OSStatus = 0x6d6f7265  // 'more'

  private let bytesPerPacket: Int
  private(set) var data: UnsafeMutableRawPointer
  private(set) var byteCount = 0
  var offset = 0
  var isAtEnd = false
  private var next = 0
  private var descriptions: [AudioStreamPacketDescription] = []
  private var description = AudioStreamPacketDescription()

  init(_ format: AudioStreamBasicDescription) {
    bytesPerPacket = Int(format.mBytesPerPacket)
    data = UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
  }

  mutating func begin(_ buffer: EnqueuedBuffer) {
    data = buffer.buffer.data
    byteCount = buffer.byteCount
    descriptions = buffer.descriptions
    (offset, next) = (0, 0)
  }

  /// A number that changes with each packet.
  var progress: Int { offset + next }

  mutating func end() {
    (byteCount, offset, next) = (0, 0, 0)
    descriptions = []
  }

  /// The address, size and number of the next packets, at most `requested`.
  private mutating func nextPackets(_ requested: Int) -> (
    bytes: UnsafeMutableRawPointer, size: Int, Int
  )? {
    if descriptions.isEmpty, bytesPerPacket > 0 {
      let count = min(requested, (byteCount - offset) / bytesPerPacket)
      guard count > 0 else { return nil }
      defer { offset += count * bytesPerPacket }
      return (data + offset, count * bytesPerPacket, count)
    }
    while next < descriptions.count {
      let packet = descriptions[next]
      next += 1
      let size = Int(packet.mDataByteSize)
      // A packet that exceeds the buffer is invalid.
      guard size > 0, let start = Outside(packet.mStartOffset).upTo(byteCount - size) else {
        continue
      }
      description = AudioStreamPacketDescription(
        mStartOffset: 0, mVariableFramesInPacket: packet.mVariableFramesInPacket,
        mDataByteSize: packet.mDataByteSize)
      return (data + start, size, 1)
    }
    return nil
  }

  /// The input function of the converter.
  static func supply(
    _: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ outDescriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
    _ context: UnsafeMutableRawPointer?
  ) -> OSStatus {
    guard let feed = context?.assumingMemoryBound(to: PacketFeed.self),
      let found = feed.pointee.nextPackets(Int(packets.pointee))
    else {
      packets.pointee = 0
      let isAtEnd = context?.assumingMemoryBound(to: PacketFeed.self).pointee.isAtEnd ?? true
      return isAtEnd ? noErr : needsMore
    }
    list.buffers[0].mData = found.bytes
    list.buffers[0].mDataByteSize = UInt32(clamping: found.size)
    packets.pointee = UInt32(clamping: found.2)
    if feed.pointee.bytesPerPacket == 0 || !feed.pointee.descriptions.isEmpty {
      let offset = MemoryLayout<PacketFeed>.offset(of: \.description) ?? 0
      outDescriptions?.pointee = (UnsafeMutableRawPointer(feed) + offset)
        .assumingMemoryBound(to: AudioStreamPacketDescription.self)
    }
    return noErr
  }
}
