// SPDX-License-Identifier: Apache-2.0
import AudioConverters
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Supplies the packets of a buffer to a converter.
final class PacketFeed: ConverterInput {
  /// The status that stops a converter when the buffer is used up but the stream continues.
  static let needsMore: OSStatus = 0x6d6f7265  // 'more'

  private let bytesPerPacket: Int
  private(set) var data: UnsafeMutableRawPointer
  private(set) var byteCount = 0
  var offset = 0
  var isAtEnd = false
  private var next = 0
  private var descriptions: [AudioStreamPacketDescription] = []
  /// The description of a packet that is supplied alone.
  private let description = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: 1)

  init(_ format: AudioStreamBasicDescription) {
    bytesPerPacket = Int(format.mBytesPerPacket)
    data = UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
  }

  deinit { description.deallocate() }

  func begin(_ buffer: EnqueuedBuffer) {
    data = buffer.buffer.data
    byteCount = buffer.byteCount
    descriptions = buffer.descriptions
    (offset, next) = (0, 0)
  }

  /// A number that changes with each packet.
  var progress: Int { offset + next }

  func end() {
    (byteCount, offset, next) = (0, 0, 0)
    descriptions = []
  }

  /// The address, size and number of the next packets, at most `requested`.
  private func nextPackets(_ requested: Int) -> (
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
      description.pointee = AudioStreamPacketDescription(
        mStartOffset: 0, mVariableFramesInPacket: packet.mVariableFramesInPacket,
        mDataByteSize: packet.mDataByteSize)
      return (data + start, size, 1)
    }
    return nil
  }

  /// Supplies the next packets of the buffers; throws `needsMore` if more will come.
  func supply(
    _ count: Int, _ list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> SuppliedPackets {
    guard let found = nextPackets(count) else {
      guard isAtEnd else { throw AudioError(status: Self.needsMore) }
      return SuppliedPackets(0)
    }
    list.buffers[0].mData = found.bytes
    list.buffers[0].mDataByteSize = UInt32(clamping: found.size)
    let isDescribed = bytesPerPacket == 0 || !descriptions.isEmpty
    return SuppliedPackets(UInt32(clamping: found.2), isDescribed ? description : nil)
  }
}
