// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Calls into kernels and conversions, whose code the compiler checks where it is written; see
// `RenderUncheckedCalls.swift`.

/// [render thread] Runs a kernel: a closure over a concrete kernel whose `render` is checked where it
/// is written; its context lives as long as the kernel's unit is initialised.
@_semantics("no_performance_analysis") @inline(never)
func runKernel(_ kernel: Unmanaged<KernelInstance>, _ work: UnsafePointer<KernelInstance.Work>) {
  kernel._withUnsafeGuaranteedRef { $0.renderSlice(work) }
}

/// [render thread] Clears a kernel's signal history. Safe for the same reason as `runKernel`.
@_semantics("no_performance_analysis") @inline(never)
func resetKernel(_ kernel: Unmanaged<KernelInstance>) {
  kernel._withUnsafeGuaranteedRef { $0.reset() }
}

/// [render thread] How many input frames a converter needs for `outputFrames`. Safe for the same
/// reason as `runKernel`.
@_semantics("no_performance_analysis") @inline(never)
func inputFrameCount(
  neededBy kernel: Unmanaged<KernelInstance>, for outputFrames: Int, _ values: RawParameterValues
) -> Int {
  kernel._withUnsafeGuaranteedRef {
    $0.converting?.inputFrames(outputFrames, values) ?? outputFrames
  }
}

/// [render thread] Passes input frames to a converter. Safe for the same reason as `runKernel`.
@_semantics("no_performance_analysis") @inline(never)
func passInput(
  to kernel: Unmanaged<KernelInstance>, _ slice: Slice, _ values: RawParameterValues
) {
  kernel._withUnsafeGuaranteedRef { $0.converting?.consume(slice, values) }
}

/// [render thread] The maximum number of frames per slice of a converter.
@_semantics("no_performance_analysis") @inline(never)
func longestSlice(of kernel: Unmanaged<KernelInstance>, _ values: RawParameterValues) -> Int {
  kernel._withUnsafeGuaranteedRef { max($0.converting?.longestSlice(values) ?? .max, 1) }
}

/// [render thread] The input frames that a converter has consumed but not yet output.
@_semantics("no_performance_analysis") @inline(never)
func pendingInputFrames(
  of kernel: Unmanaged<KernelInstance>, _ values: RawParameterValues
) -> Double {
  kernel._withUnsafeGuaranteedRef { $0.converting?.pendingInputFrames(values) ?? 0 }
}

/// [render thread] Reports to a host from which input frames its output was made. The host is
/// responsible for its function.
@_semantics("no_performance_analysis") @inline(never)
func reportInputSamples(
  _ listener: InputSamplesListener, _ time: UnsafePointer<AudioTimeStamp>, first: Double,
  count: Double
) {
  typealias Function =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<AudioTimeStamp>, Float64, Float64) ->
    Void
  guard let function = listener.function else { return }
  unsafeBitCast(function, to: Function.self)(listener.context, time, first, count)
}

/// [render thread] The frames for which the kernel still sounds after its input became
/// silent.
@_semantics("no_performance_analysis") @inline(never)
func tailFrames(
  of kernel: Unmanaged<KernelInstance>, _ sampleRate: Double, _ values: RawParameterValues
) -> Double {
  kernel._withUnsafeGuaranteedRef {
    $0.latency(values) + ($0.tailTime(values) ?? 0) * sampleRate
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
func convertList(
  _ list: UnsafePointer<AudioBufferList>, by conversion: Unmanaged<InputConversion>, _ frames: Int,
  to output: UnsafePointer<UnsafeMutablePointer<Float>>
) -> OSStatus {
  conversion._withUnsafeGuaranteedRef { $0.convert(list, frames, output) }
}

/// [render thread] As `pullConverted`.
@_semantics("no_performance_analysis") @inline(never)
func resetConversion(_ conversion: Unmanaged<InputConversion>) {
  conversion._withUnsafeGuaranteedRef { $0.reset() }
}

/// [render thread] frames of silence after which the kernel is in its initial
/// state.
@_semantics("no_performance_analysis") @inline(never)
func settlingFrames(of kernel: Unmanaged<KernelInstance>, _ sampleRate: Double) -> Double {
  kernel._withUnsafeGuaranteedRef {
    Double($0.latencyFrames()) + ($0.settlingTime() ?? 0) * sampleRate
  }
}
