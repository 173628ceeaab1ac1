// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The latest input of every channel; any run of frames is contiguous.
///
/// Each ring is written twice, one length apart, so that nothing is moved. Positions count from the
/// first frame after a reset; silence precedes it. Uses plain memory on the render thread.
struct InputHistory: BitwiseCopyable {
  let channelCount: Int
  /// Length of the history in frames, a power of two.
  let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  /// Number of consumed frames, which is the position of the next one.
  private(set) var end = 0

  /// [control thread] Makes a history of at least `frames`, in `memory`.
  init(channelCount: Int, frames: Int, in memory: OwnedMemory) {
    self.channelCount = channelCount
    capacity = Self.capacity(frames)
    samples = memory.array(2 * channelCount * capacity + 16, of: 0)
  }

  static func capacity(_ frames: Int) -> Int {
    var capacity = 64
    while capacity < frames { capacity *= 2 }
    return capacity
  }

  /// [render thread] The frames of a channel from a position on; one frame before it can be read
  /// too.
  @_noLocks @inline(__always)
  func at(_ position: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    // The frame before the first of the ring is the last one of the ring.
    samples + (8 &+ channel &* 2 &* capacity &+ (position & (capacity &- 1)))
  }

  /// [render thread] Appends frames, at most `capacity`. Unusable samples become silence.
  @_noLocks
  mutating func append(_ input: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    var done = 0
    while done < frames {
      let position = (end &+ done) & (capacity &- 1)
      let count = min(frames &- done, capacity &- position)
      for channel in 0..<channelCount {
        let ring = at(0, channel)
        Samples.copy(input[channel] + done, to: ring + position, count: count)
        Samples.discardUnusable(ring + position, count: count)
        Samples.copy(ring + position, to: ring + (position &+ capacity), count: count)
      }
      done &+= count
    }
    end &+= frames
  }

  /// [render thread] Appends the new frames of another history at half its rate: the sums of two
  /// frames, with all channels mixed with `gains`.
  @_noLocks
  mutating func appendHalves(of other: InputHistory, gains: UnsafePointer<Float>) {
    while end < other.end >> 1 {
      let position = end & (capacity &- 1)
      let count = min(other.end >> 1 &- end, capacity &- position)
      let halves = at(0, 0) + position
      for channel in 0..<other.channelCount {
        kernel_stretch_halve(
          halves, other.at(2 &* end, channel), gains[channel], count, channel == 0 ? 1 : 0)
      }
      Samples.copy(halves, to: halves + capacity, count: count)
      end &+= count
    }
  }

  /// [render thread] Clears the signal history.
  @_noLocks
  mutating func reset() {
    end = 0
    Samples.clear(samples, count: 2 * channelCount * capacity + 16)
  }
}
