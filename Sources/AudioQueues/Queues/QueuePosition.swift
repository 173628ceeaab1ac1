// SPDX-License-Identifier: Apache-2.0

/// Where the render thread of a queue is: a frame, and the time at which it is played.
struct QueuePosition: BitwiseCopyable {
  /// The first frame of the last cycle, and the number of its frames.
  var frame: Int
  var frameCount: Int
  /// The host time at which the first frame is or was played; 0 before the first cycle.
  var hostTime: UInt64
  /// The device's actual rate divided by its nominal rate.
  var rateScalar: Double

  @_noLocks
  init(frame: Int = 0, frameCount: Int = 0, hostTime: UInt64 = 0, rateScalar: Double = 1) {
    self.frame = frame
    self.frameCount = frameCount
    self.hostTime = hostTime
    self.rateScalar = rateScalar
  }

  /// The frame after the last one rendered.
  var end: Int { frame + frameCount }
}
