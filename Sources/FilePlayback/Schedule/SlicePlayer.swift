// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// A schedule as its render thread sees it: plain memory.
package struct SlicePlayer: BitwiseCopyable, @unchecked Sendable {
  let timeline: UnsafeMutablePointer<SliceTimeline>
  let shared: UnsafeMutablePointer<SliceExchange>

  /// [render thread] Fills planar frames, one buffer for each channel from `offset` on, with what is due
  /// from a time on; true: all of them are silent.
  @_noLocks
  package func render(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, channelCount: Int,
    frames: Int, at stamp: UnsafePointer<AudioTimeStamp>
  ) -> Bool {
    let output = SliceTimeline.Output(
      channels: channels, offset: offset, channelCount: channelCount)
    guard shared.pointee.enter() else {
      // What is scheduled is being taken back.
      output.clear(0, frames)
      return true
    }
    defer { shared.pointee.leave() }
    return timeline.pointee.render(output, frames: frames, at: stamp.pointee)
  }
}
