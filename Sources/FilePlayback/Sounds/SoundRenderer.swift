// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

/// The part of a schedule of sounds that its render thread uses: plain memory.
package struct SoundRenderer: BitwiseCopyable, @unchecked Sendable {
  let timeline: UnsafeMutablePointer<SoundTimeline>
  let shared: UnsafeMutablePointer<SoundExchange>
  /// The number of channels that it renders.
  package let channelCount: Int

  /// [render thread] Renders planar frames into one buffer for each channel; true if all of them are
  /// silent.
  @_noLocks
  package func render(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int,
    at stamp: UnsafePointer<AudioTimeStamp>
  ) -> Bool {
    let output = SoundOutput(channels, channelCount: channelCount)
    guard shared.pointee.gate.tryEnter(as: rt_thread_id()) else {
      // Everything is being stopped.
      output.clear(0, frames)
      return true
    }
    defer { shared.pointee.gate.leave() }
    return timeline.pointee.render(output, frames: frames, at: stamp.pointee)
  }
}
