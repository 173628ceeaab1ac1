// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import AudioUnitCore

/// [render thread] Tells a host that input is there: the host answers for what it does in its
/// callback, and the sanitizer is told so. There is no memory with it; the host reads bus 1.
@_semantics("no_performance_analysis") @inline(never)
func callInput(
  _ function: AURenderCallback, _ context: UnsafeMutableRawPointer?,
  _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>,
  _ frameCount: UInt32
) -> OSStatus {
  callHost(function, context, flags, time, 1, frameCount, nil)
}
