// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

/// The direct path to the output of a unit with a kernel, or of one that passes on its input: a function
/// that points a buffer at the unit's samples, without a buffer list.
///
/// It is a C function with a context, so that the pulling unit is independent of the type of its
/// source.
package struct DirectSource: BitwiseCopyable {
  let function: rt_pull_function
  let context: UnsafeMutableRawPointer

  /// [render thread] Fills `buffer` with the next frames of an output bus, or points it at them.
  /// Returns `notTried` if the buffer is laid out differently, or if the unit has pending work.
  @_noLocks @inline(__always)
  func pull(
    _ bus: UInt32, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer
  ) -> PullResult {
    PullResult(word: rt_pull(function, context, bus, flags, time, frames, buffer.address))
  }
}
