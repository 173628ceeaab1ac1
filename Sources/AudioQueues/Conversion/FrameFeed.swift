// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioConverters
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Supplies frames to a converter.
final class FrameFeed: ConverterInput {
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

  /// Supplies the next frames of the range; throws `needsMore` if more will come.
  func supply(
    _ count: Int, _ list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> SuppliedPackets {
    let count = min(count, range.count - consumedFrames)
    guard count > 0, let source else {
      guard isAtEnd else { throw AudioError(status: PacketFeed.needsMore) }
      return SuppliedPackets(0)
    }
    let start = range.lowerBound + consumedFrames
    for channel in 0..<source.channelCount {
      list.buffers[channel].mData = UnsafeMutableRawPointer(source.channels[channel] + start)
      list.buffers[channel].mDataByteSize = UInt32(clamping: count * 4)
    }
    consumedFrames += count
    return SuppliedPackets(UInt32(clamping: count))
  }
}
