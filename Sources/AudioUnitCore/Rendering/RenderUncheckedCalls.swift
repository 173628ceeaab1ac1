// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// The compiler proves that render code acquires no lock and allocates no memory, with two
// exceptions: calls of C functions, and functions with the attribute
// `@_semantics("no_performance_analysis")`. In this target such functions are here, in
// `KernelUncheckedCalls.swift` and in `RenderedUnit.swift`; their comments explain why they
// are safe.

/// [render thread] Calls a host's callback. The host is responsible for it; the sanitizer is off
/// meanwhile.
@_noLocks @inline(__always)
package func callHost(
  _ function: AURenderCallback, _ context: UnsafeMutableRawPointer?,
  _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>,
  _ bus: UInt32, _ frameCount: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  rt_call_host(
    unsafeBitCast(function, to: UnsafeRawPointer.self), context, flags, time, bus, frameCount, data)
}

/// [render thread] Renders a unit. Its `render` is checked where it is written, or belongs to a
/// foreign unit. No references are counted.
@_semantics("no_performance_analysis") @inline(never)
package func renderUnit(
  _ unit: Unmanaged<UnitInstance>, _ call: RenderCall,
  _ data: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  unit._withUnsafeGuaranteedRef { $0.render(call, into: data) }
}

/// [render thread] As above, with separate arguments.
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
