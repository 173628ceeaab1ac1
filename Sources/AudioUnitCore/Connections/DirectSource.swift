// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

/// The direct path to the output of a unit that runs a kernel: a function that points a buffer at
/// the unit's samples, without a buffer list.
///
/// A C function and its context, so that the unit that pulls need not know the type of its source.
package struct DirectSource: BitwiseCopyable {
  let function: rt_pull_function
  let context: UnsafeMutableRawPointer

  /// [render thread] Fills `buffer` with the next frames of an output bus, or points it at them.
  /// Does not try if the buffer is laid out differently, or if the unit has more to do than render.
  @_noLocks @inline(__always)
  func pull(
    _ bus: UInt32, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer
  ) -> Pulled {
    Pulled(word: rt_pull(function, context, bus, flags, time, frames, buffer.address))
  }
}
