// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import CAudioToolbox
import CRealTime

/// [render thread] Calls a function of the program. The program is responsible for it, and the
/// sanitizer is informed. `times`: now, of the input, of the output.
@_semantics("no_performance_analysis") @inline(never)
func callFunction(
  _ function: AudioDeviceIOProc, _ device: AudioObjectID,
  _ times: UnsafeMutablePointer<AudioTimeStamp>, _ input: UnsafeMutablePointer<AudioBufferList>,
  _ output: UnsafeMutablePointer<AudioBufferList>, _ context: UnsafeMutableRawPointer?
) {
  rt_host_enter()
  _ = function(device, times, input, times + 1, output, times + 2, context)
  rt_host_leave()
}

/// [render thread] Passes a combined cycle to its handler, whose own code is checked where it is
/// written.
@_semantics("no_performance_analysis") @inline(never)
func callHandler(_ handler: Unmanaged<CycleHandler>, _ cycle: DeviceCycle) {
  handler._withUnsafeGuaranteedRef { $0.render(cycle) }
}

/// [render thread] Has an engine of the client's owner render a cycle. Its code is checked where it
/// is written; the call only reads the class's method table.
@_semantics("no_performance_analysis") @inline(never)
func callEngine(_ engine: Unmanaged<CycleEngine>, _ cycle: inout ClientCycle) {
  engine._withUnsafeGuaranteedRef { $0.render(&cycle) }
}

/// [render thread] Has an engine continue from the one before.
@_semantics("no_performance_analysis") @inline(never)
func resumeEngine(_ engine: Unmanaged<CycleEngine>, _ other: Unmanaged<CycleEngine>) {
  engine._withUnsafeGuaranteedRef { new in
    other._withUnsafeGuaranteedRef { new.resume(from: $0) }
  }
}
