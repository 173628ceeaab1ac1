// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// The compiler proves that render code takes no lock and allocates nothing, except where it leaves
// what the compiler can see: in calls of C functions, and in functions with the attribute
// `@_semantics("no_performance_analysis")`. In this target they are here, in
// `UncheckedKernelCalls.swift` and in `NativeUnit+Rendering.swift`; each says why it is safe.

/// [render thread] Calls a host's callback: the host is responsible for it, and the sanitizer does
/// not watch it.
@_noLocks @inline(__always)
package func callHost(
  _ function: AURenderCallback, _ context: UnsafeMutableRawPointer?,
  _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>,
  _ bus: UInt32, _ frameCount: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  rt_call_host(
    unsafeBitCast(function, to: UnsafeRawPointer.self), context, flags, time, bus, frameCount, data)
}

/// [render thread] Renders a unit: its render is a method checked where it is written, or a foreign
/// unit's own. No reference is counted.
@_semantics("no_performance_analysis") @inline(never)
package func renderUnit(
  _ unit: Unmanaged<UnitInstance>, _ call: RenderCall,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  unit._withUnsafeGuaranteedRef { $0.render(call, into: data) }
}

/// [render thread] The same, with separate arguments.
@_semantics("no_performance_analysis") @inline(never)
func renderUnit(
  _ unit: Unmanaged<UnitInstance>, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  renderUnit(unit, RenderCall(flags, time, bus: bus, frameCount: frames), data)
}

/// [render thread] As `renderUnit`, in place and without pulling.
@_semantics("no_performance_analysis") @inline(never)
package func processUnit(
  _ unit: Unmanaged<UnitInstance>, _ call: RenderCall,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  unit._withUnsafeGuaranteedRef { $0.process(call, data) }
}

/// [render thread] As `renderUnit`, for many buses and without pulling.
@_semantics("no_performance_analysis") @inline(never)
package func processUnit(
  _ unit: Unmanaged<UnitInstance>, _ call: RenderCall,
  inputs: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
  outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
) -> OSStatus {
  unit._withUnsafeGuaranteedRef { $0.processMultiple(call, inputs: inputs, outputs: outputs) }
}
