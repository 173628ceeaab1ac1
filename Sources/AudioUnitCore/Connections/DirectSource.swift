// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

/// The short way to the output of a unit that runs a kernel: a function that has a buffer lie where the
/// unit's samples are, without a list of buffers.
///
/// A C function and its context, so that whoever pulls does not have to know what it pulls.
package struct DirectSource: BitwiseCopyable {
  let function: rt_pull_function
  let context: UnsafeMutableRawPointer

  /// [render thread] Has `buffer` hold, or point at, the next frames of an output bus. Nothing is tried
  /// where the buffer is not like the bus, or the unit has more to do than to render.
  @_noLocks @inline(__always)
  func pull(
    _ bus: UInt32, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer
  ) -> Pulled {
    Pulled(word: rt_pull(function, context, bus, flags, time, frames, buffer.address))
  }
}
