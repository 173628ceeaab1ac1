// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The part of a schedule that its render thread uses: plain memory.
package struct SchedulePlayer: BitwiseCopyable, @unchecked Sendable {
  let timeline: UnsafeMutablePointer<PlayTimeline>
  let shared: UnsafeMutablePointer<PlayExchange>

  /// [render thread] Renders planar frames into one buffer for each channel, from `offset` on; true
  /// if all of them are silent.
  @_noLocks
  package func render(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, channelCount: Int,
    frames: Int, at stamp: UnsafePointer<AudioTimeStamp>
  ) -> Bool {
    let output = PlayTimeline.Output(
      channels: channels, offset: offset, channelCount: channelCount)
    guard shared.pointee.enter() else {
      // The schedule is being cancelled.
      output.clear(0, frames)
      return true
    }
    defer { shared.pointee.leave() }
    return timeline.pointee.render(output, frames: frames, at: stamp.pointee)
  }
}
