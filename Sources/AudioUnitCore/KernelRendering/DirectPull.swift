// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Kernels that are connected render for each other without a list of buffers.
extension RenderSide {
  /// The renderer of the unit's kernel; nil while the unit is not initialised.
  var kernelRenderer: UnsafeMutablePointer<KernelRenderer>? {
    @_noLocks @inline(__always)
    get { renderer?.assumingMemoryBound(to: KernelRenderer.self) }
  }

  /// [render thread] Renders an output bus of a kernel for the connected unit, which reads the
  /// samples where they are. Does nothing if more than that is needed.
  @_noLocks @inline(__always)
  borrowing func pull(
    _ bus: UInt32, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer
  ) -> Pulled {
    guard let kinds = beginRender() else { return Self.isBusy }
    defer { endRender() }
    guard !kinds.has(.guardWork), let renderer = kernelRenderer else { return .notTried }
    var pulled = renderer.pointee.render(bus, flags, time, frames, plan, kinds, into: buffer)
    keepOutcome(pulled, at: time)
    // Read last, so that a unit that was connected meanwhile counts.
    if pulled.status == noErr {
      pulled.isShared = pending.has(.manyReaders)
      pulled.isLendable = !pulled.isShared
    }
    return pulled
  }
}

/// [render thread] The same as a C function: the context is the render side.
@_noLocks
private func pullKernel(
  _ side: UnsafeMutableRawPointer, _ bus: UInt32, _ flags: UnsafeMutableRawPointer?,
  _ time: UnsafeRawPointer, _ frames: UInt32, _ buffer: UnsafeMutableRawPointer
) -> UInt64 {
  side.assumingMemoryBound(to: RenderSide.self).pointee.pull(
    bus, flags?.assumingMemoryBound(to: AudioUnitRenderActionFlags.self),
    time.assumingMemoryBound(to: AudioTimeStamp.self), frames, into: BusBuffer(address: buffer)
  ).word
}

extension DirectSource {
  /// [control thread] The direct path to a kernel, through the render side of its unit.
  init(kernelOf side: UnsafeMutablePointer<RenderSide>) {
    self.init(function: pullKernel, context: side)
  }
}
