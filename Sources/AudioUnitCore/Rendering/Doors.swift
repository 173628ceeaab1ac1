// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// The compiler proves that render code takes no lock and allocates nothing, except where it leaves
// what the compiler can see. These and C functions are the only such places; each line says why it is
// safe.

/// [render thread] Calls a host's callback: the host answers for what it does there, and the
/// sanitizer is told so.
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

/// [render thread] The same, with what a call consists of.
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

/// [render thread] Runs a kernel: a closure over a concrete kernel whose `render` is checked where it
/// is written; its context lives as long as the kernel's unit is initialised.
@_semantics("no_performance_analysis") @inline(never)
func runKernel(_ kernel: Unmanaged<KernelInstance>, _ work: UnsafePointer<KernelInstance.Work>) {
  kernel._withUnsafeGuaranteedRef { $0.renderSlice(work) }
}

/// [render thread] As `runKernel`.
@_semantics("no_performance_analysis") @inline(never)
func resetKernel(_ kernel: Unmanaged<KernelInstance>) {
  kernel._withUnsafeGuaranteedRef { $0.forget() }
}

/// [render thread] As `runKernel`.
@_semantics("no_performance_analysis") @inline(never)
func framesNeeded(
  by kernel: Unmanaged<KernelInstance>, for outputFrames: Int, _ values: RawParameterValues
) -> Int {
  kernel._withUnsafeGuaranteedRef { $0.inputFrames?(outputFrames, values) ?? outputFrames }
}

/// [render thread] As `runKernel`.
@_semantics("no_performance_analysis") @inline(never)
func giveInput(
  to kernel: Unmanaged<KernelInstance>, _ slice: Slice, _ values: RawParameterValues
) {
  kernel._withUnsafeGuaranteedRef { $0.take?(slice, values) }
}

/// [render thread] As `runKernel`: frames for which silence still gives sound.
@_semantics("no_performance_analysis") @inline(never)
func memory(
  of kernel: Unmanaged<KernelInstance>, _ sampleRate: Double, _ values: RawParameterValues
) -> Double {
  kernel._withUnsafeGuaranteedRef {
    Double($0.latencyFrames()) + ($0.tailTime(values) ?? 0) * sampleRate
  }
}

/// [render thread] Pulls through a conversion: a closure over a concrete converter whose code is
/// checked where it is written; its context lives as long as the unit is initialised.
@_semantics("no_performance_analysis") @inline(never)
func pullConverted(
  _ conversion: Unmanaged<InputConversion>, _ pull: InputConversion.Pull
) -> OSStatus {
  conversion._withUnsafeGuaranteedRef { $0.pull(pull) }
}

/// [render thread] As `pullConverted`.
@_semantics("no_performance_analysis") @inline(never)
func convert(
  _ list: UnsafePointer<AudioBufferList>, by conversion: Unmanaged<InputConversion>, _ frames: Int,
  to output: UnsafePointer<UnsafeMutablePointer<Float>>
) -> OSStatus {
  conversion._withUnsafeGuaranteedRef { $0.convert(list, frames, output) }
}

/// [render thread] As `pullConverted`.
@_semantics("no_performance_analysis") @inline(never)
func resetConversion(_ conversion: Unmanaged<InputConversion>) {
  conversion._withUnsafeGuaranteedRef { $0.forget() }
}

/// [render thread] As `runKernel`: frames of silence after which the kernel is as it was at first.
@_semantics("no_performance_analysis") @inline(never)
func settling(of kernel: Unmanaged<KernelInstance>, _ sampleRate: Double) -> Double {
  kernel._withUnsafeGuaranteedRef {
    Double($0.latencyFrames()) + ($0.settlingTime() ?? 0) * sampleRate
  }
}

extension NativeUnit {
  /// [render thread] The unit's own production, an overridden method that is checked where it is
  /// written.
  @_semantics("no_performance_analysis") @inline(never)
  final func callForget() { forget() }

  /// [render thread] The unit's own production, an overridden method that is checked where it is
  /// written.
  @_semantics("no_performance_analysis") @inline(never)
  final func callProduce(
    _ call: RenderCall, _ plan: RenderPlan, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    produce(call, plan, into: data)
  }
}
