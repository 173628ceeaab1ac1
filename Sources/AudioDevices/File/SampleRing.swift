// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Synchronization

/// A ring buffer from one thread to another. Neither side ever waits, and it never grows.
///
/// The producer fills `writable` and calls `produce`; the consumer reads `readable` and calls
/// `consume`. Both ranges are contiguous: at the end of the memory, a second range follows.
final class SampleRing: @unchecked Sendable {  // a frame belongs to one side at a time
  /// One buffer for each channel, indexed by the ranges.
  var channels: UnsafePointer<UnsafeMutablePointer<Float>> { buffers.channels }

  private let buffers: CycleBuffers
  /// The maximum number of frames.
  let capacity: Int
  private let produced = Atomic(0)
  private let consumed = Atomic(0)

  init(channelCount: Int, frameCount: Int) throws(AudioError) {
    capacity = frameCount
    buffers = try CycleBuffers(channelCount: channelCount, frameCount: frameCount)
  }

  /// [producer] The frames to write next. Empty if the ring is full.
  var writable: Range<Int> {
    let head = produced.load(ordering: .relaxed)
    return part(from: head, count: capacity - (head - consumed.load(ordering: .acquiring)))
  }

  /// [producer] Passes the first `frameCount` frames of `writable` to the consumer.
  func produce(_ frameCount: Int) { produced.wrappingAdd(frameCount, ordering: .releasing) }

  /// [consumer] The frames to read next. Empty if there are none.
  var readable: Range<Int> {
    let tail = consumed.load(ordering: .relaxed)
    return part(from: tail, count: produced.load(ordering: .acquiring) - tail)
  }

  /// [consumer] Returns the first `frameCount` frames of `readable` to the producer.
  func consume(_ frameCount: Int) { consumed.wrappingAdd(frameCount, ordering: .releasing) }

  private func part(from frame: Int, count: Int) -> Range<Int> {
    let start = frame % capacity
    return start..<(start + min(count, capacity - start))
  }
}
