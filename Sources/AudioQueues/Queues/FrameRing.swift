// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import SignalProcessing
import Synchronization

/// A lock-free ring buffer of planar Float32 frames, for one writing and one reading thread.
/// Neither thread ever waits.
struct FrameRing: ~Copyable {
  let channelCount: Int
  /// A power of two.
  let capacity: Int
  private let memory: PlanarBuffer
  /// The total numbers of frames written and read.
  private let writtenCount = Atomic(0)
  private let readCount = Atomic(0)

  /// [control thread] Room for at least this many frames.
  init(channelCount: Int, capacity minimum: Int) {
    self.channelCount = channelCount
    var capacity = 1_024
    while capacity < minimum { capacity *= 2 }
    self.capacity = capacity
    memory = PlanarBuffer(channelCount: channelCount, capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// [any thread] The total number of frames written.
  var written: Int { @_noLocks get { writtenCount.load(ordering: .acquiring) } }
  /// [any thread] The total number of frames read.
  var read: Int { @_noLocks get { readCount.load(ordering: .acquiring) } }
  /// [any thread] Frames that can be read.
  var fill: Int { @_noLocks get { written - read } }
  /// [any thread] Frames that can be written.
  var room: Int { @_noLocks get { capacity - fill } }

  /// [the writer] Writes as many of `count` frames as there is room for; returns how many.
  @_noLocks
  borrowing func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from offset: Int = 0, count: Int
  ) -> Int {
    let count = min(count, room)
    let start = written
    let index = start & (capacity - 1)
    let first = min(count, capacity - index)
    for channel in 0..<channelCount {
      let source = channels[channel] + offset
      Samples.copy(source, to: memory.channels[channel] + index, count: first)
      Samples.copy(source + first, to: memory.channels[channel], count: count - first)
    }
    writtenCount.store(start + count, ordering: .releasing)
    return count
  }

  /// [the reader] Copies `count` frames of one channel; they must be available.
  @_noLocks
  borrowing func copy(
    channel: Int, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let index = read & (capacity - 1)
    let first = min(count, capacity - index)
    Samples.copy(memory.channels[channel] + index, to: target, count: first)
    Samples.copy(memory.channels[channel], to: target + first, count: count - first)
  }

  /// [the reader] Releases the frames before `index`.
  @_noLocks
  borrowing func advance(to index: Int) { readCount.store(index, ordering: .releasing) }
}

/// [any thread] The whole number that is nearest to a number from 0 to 2^51, or to that limit.
@_noLocks
func nearest(_ number: Double) -> Int {
  guard number > 0 else { return 0 }
  // A number from 2^52 to 2^53 has no fraction, and its significand counts from 2^52.
  let sum = min(number, 0x1p51) + 0x1p52
  return Int(truncatingIfNeeded: sum.bitPattern & 0xF_FFFF_FFFF_FFFF)
}
