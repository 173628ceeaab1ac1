// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import SignalProcessing
import Synchronization

/// Frames of planar Float32 in transit from one thread to another, without locks: one writes, one
/// reads, neither waits.
struct FrameRing: ~Copyable {
  let channelCount: Int
  /// A power of two.
  let capacity: Int
  private let memory: PlanarBuffer
  /// Frames ever written, and ever read.
  private let writtenCount = Atomic(0)
  private let readCount = Atomic(0)

  /// [control thread] Room for at least this many frames.
  init(channelCount: Int, capacity wanted: Int) {
    self.channelCount = channelCount
    var capacity = 1_024
    while capacity < wanted { capacity *= 2 }
    self.capacity = capacity
    memory = PlanarBuffer(channelCount: channelCount, capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// [any thread] Frames ever written.
  var written: Int { @_noLocks get { writtenCount.load(ordering: .acquiring) } }
  /// [any thread] Frames ever read.
  var read: Int { @_noLocks get { readCount.load(ordering: .acquiring) } }
  /// [any thread] Frames that can be read.
  var fill: Int { @_noLocks get { written - read } }
  /// [any thread] Frames that can be written.
  var room: Int { @_noLocks get { capacity - fill } }

  /// [the one writer] Writes as many of `count` frames as there is room for.
  @_noLocks
  borrowing func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from offset: Int = 0, count: Int
  ) -> Int {
    let count = min(count, room)
    let start = written
    let place = start & (capacity - 1)
    let first = min(count, capacity - place)
    for channel in 0..<channelCount {
      let source = channels[channel] + offset
      Samples.copy(source, to: memory.channels[channel] + place, count: first)
      Samples.copy(source + first, to: memory.channels[channel], count: count - first)
    }
    writtenCount.store(start + count, ordering: .releasing)
    return count
  }

  /// [the one reader] Copies `count` frames, which must be available, of one channel.
  @_noLocks
  borrowing func copy(
    channel: Int, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let place = read & (capacity - 1)
    let first = min(count, capacity - place)
    Samples.copy(memory.channels[channel] + place, to: target, count: first)
    Samples.copy(memory.channels[channel], to: target + first, count: count - first)
  }

  /// [the one reader] Releases frames up to `index`.
  @_noLocks
  borrowing func advance(to index: Int) { readCount.store(index, ordering: .releasing) }
}
