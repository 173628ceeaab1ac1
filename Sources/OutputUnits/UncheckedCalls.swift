// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// [render thread] Tells a host that input is there: the host answers for what it does in its
/// callback, and the sanitizer is told so. There is no memory with it; the host reads bus 1.
@_semantics("no_performance_analysis") @inline(never)
func callInput(
  _ function: AURenderCallback, _ context: UnsafeMutableRawPointer?, _ call: RenderCall
) -> OSStatus {
  callHost(function, context, call.flags, call.time, call.bus, call.frameCount, nil)
}
