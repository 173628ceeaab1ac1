// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// The captured frames of the last second or more, by sample time. One thread writes. Only half of
/// the memory can be read, so that frames are not overwritten while they are read.
// Frames below `end` are written, and the older half of the memory is not read.
final class CapturedSamples: @unchecked Sendable {
  let channelCount: Int
  private let capacity: Int
  private let memory = OwnedMemory()
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let written = PublishedValue<Written>()
  // The last published value, for the writer.
  private let last: UnsafeMutablePointer<Written>

  /// The first frame after the last gap, and the next frame.
  private struct Written: BitwiseCopyable {
    let begin: Int
    let end: Int

    @_noLocks
    init(begin: Int, end: Int) {
      self.begin = begin
      self.end = end
    }
  }

  /// The maximum number of samples of all channels: eight megabytes.
  private static let most = 1 << 21

  /// [control thread] Allocates memory for two seconds at a rate in frames per second, or for less
  /// with many channels, but always for two calls of `maximumFrames`.
  init(channelCount: Int, sampleRate: Double, maximumFrames: Int) {
    self.channelCount = channelCount
    var capacity = 1_024
    while capacity < 2 * maximumFrames { capacity *= 2 }
    while Double(capacity) < 2 * sampleRate, 2 * capacity * channelCount <= Self.most {
      capacity *= 2
    }
    let size = capacity
    self.capacity = size
    let memory = memory
    last = memory.cell(Written(begin: 0, end: 0))
    channels = memory.array((0..<channelCount).map { _ in memory.array(size, of: 0) })
  }

  deinit { memory.deallocate() }

  /// [render thread] Stores the frames of a cycle.
  @_noLocks
  func write(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, from inputFrame: Int, frames: Int,
    sampleTime: Double
  ) {
    guard sampleTime >= 0, sampleTime < 0x1p53 else { return }
    // Of a call that is longer than expected, the last frames are kept.
    let skipped = max(frames - capacity / 2, 0)
    let (inputFrame, count) = (inputFrame + skipped, frames - skipped)
    let time = Elementary.whole(sampleTime) + skipped
    let expected = last.pointee.end
    if skipped > 0 || time != expected { publish(Written(begin: time, end: time)) }
    let start = time & (capacity - 1)
    let first = min(count, capacity - start)
    let (channels, channelCount) = (channels, channelCount)
    for channel in 0..<channelCount {
      Samples.copy(input[channel] + inputFrame, to: channels[channel] + start, count: first)
      Samples.copy(input[channel] + inputFrame + first, to: channels[channel], count: count - first)
    }
    publish(Written(begin: last.pointee.begin, end: time + count))
  }

  @_noLocks
  private func publish(_ frames: Written) {
    last.pointee = frames
    written.store(frames)
  }

  /// [any thread] The frames that can be read now, by sample time.
  var range: Range<Int> {
    guard let frames = written.load() else { return 0..<0 }
    return max(frames.begin, frames.end - capacity / 2)..<frames.end
  }

  /// [any thread] Copies frames of one channel that are within `range`, with a stride in floats. If
  /// they are still within it afterwards, they are whole.
  func copy(
    _ channel: Int, from time: Int, frames: Int, to data: UnsafeMutablePointer<Float>, stride: Int
  ) {
    for frame in 0..<frames {
      data[frame * stride] = channels[channel][(time + frame) & (capacity - 1)]
    }
  }
}
