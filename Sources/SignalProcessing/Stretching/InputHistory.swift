// SPDX-License-Identifier: Apache-2.0

/// The latest input of every channel, each run of frames without a seam.
///
/// Rings that are written twice, a length apart: nothing is ever moved. Places count from the first frame
/// after a reset; before it lies silence. Plain memory for the render thread.
struct InputHistory: BitwiseCopyable {
  let channelCount: Int
  /// How many frames it keeps: a power of two.
  let capacity: Int
  private let samples: UnsafeMutablePointer<Float>
  /// Frames that were taken: the place of the next one.
  private(set) var end = 0

  /// [control thread] Room for at least `frames`, in `memory`.
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

  /// [render thread] The frames of a channel from a place on; a frame before it can be read too.
  @_noLocks @inline(__always)
  func at(_ place: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    // The frame before the first of the ring is that at its end.
    samples + (8 &+ channel &* 2 &* capacity &+ (place & (capacity &- 1)))
  }

  /// [render thread] Appends frames, at most `capacity`. Samples that are no numbers become silence.
  @_noLocks
  mutating func append(_ input: UnsafePointer<UnsafePointer<Float>>, frames: Int) {
    var done = 0
    while done < frames {
      let place = (end &+ done) & (capacity &- 1)
      let count = min(frames &- done, capacity &- place)
      for channel in 0..<channelCount {
        let ring = at(0, channel)
        Samples.copy(input[channel] + done, to: ring + place, count: count)
        Samples.discardUnusable(ring + place, count: count)
        Samples.copy(ring + place, to: ring + (place &+ capacity), count: count)
      }
      done &+= count
    }
    end &+= frames
  }

  /// [render thread] Takes what is new of another one at half its rate: the sums of two frames, mixed of all
  /// channels with `gains`.
  @_noLocks
  mutating func appendHalves(of other: InputHistory, gains: UnsafePointer<Float>) {
    while end < other.end >> 1 {
      let place = end & (capacity &- 1)
      let count = min(other.end >> 1 &- end, capacity &- place)
      let halves = at(0, 0) + place
      for channel in 0..<other.channelCount {
        StretchKernel.halve(
          halves, other.at(2 &* end, channel), gain: gains[channel], count: count,
          isFirst: channel == 0)
      }
      Samples.copy(halves, to: halves + capacity, count: count)
      end &+= count
    }
  }

  /// [render thread] Forgets everything.
  @_noLocks
  mutating func reset() {
    end = 0
    Samples.clear(samples, count: 2 * channelCount * capacity + 16)
  }
}
