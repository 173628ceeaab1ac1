// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Supplies frames to a converter.
struct FrameFeed {
  private var source: PlanarBuffer?
  private var range = 0..<0
  private var isAtEnd = false
  private(set) var consumedFrames = 0

  init() {}

  init(_ source: PlanarBuffer, _ range: Range<Int>, isAtEnd: Bool) {
    self.source = source
    self.range = range
    self.isAtEnd = isAtEnd
  }

  /// The input function of the converter.
  static func supply(
    _: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
    _ context: UnsafeMutableRawPointer?
  ) -> OSStatus {
    guard let feed = context?.assumingMemoryBound(to: FrameFeed.self) else { return noErr }
    let count = min(Int(packets.pointee), feed.pointee.range.count - feed.pointee.consumedFrames)
    guard count > 0, let source = feed.pointee.source else {
      packets.pointee = 0
      return feed.pointee.isAtEnd ? noErr : PacketFeed.needsMore
    }
    let start = feed.pointee.range.lowerBound + feed.pointee.consumedFrames
    for channel in 0..<source.channelCount {
      list.buffers[channel].mData = UnsafeMutableRawPointer(source.channels[channel] + start)
      list.buffers[channel].mDataByteSize = UInt32(clamping: count * 4)
    }
    packets.pointee = UInt32(clamping: count)
    feed.pointee.consumedFrames += count
    return noErr
  }
}
