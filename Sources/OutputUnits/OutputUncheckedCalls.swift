// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

/// [render thread] Calls a host's input callback. The host is responsible for it, and the sanitizer
/// does not watch it. The callback gets no memory; it renders bus 1.
@_semantics("no_performance_analysis") @inline(never)
func callInput(
  _ function: AURenderCallback, _ context: UnsafeMutableRawPointer?, _ call: RenderCall
) -> OSStatus {
  callHost(function, context, call.flags, call.time, call.bus, call.frameCount, nil)
}
