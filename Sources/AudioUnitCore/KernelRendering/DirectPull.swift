// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Connected units pass samples to each other without a buffer list: units with kernels, and those that
// pass on their input.
extension RenderSide {
  /// The renderer of the unit's kernel; nil while the unit is not initialised.
  var kernelRenderer: UnsafeMutablePointer<KernelRenderer>? {
    @_noLocks @inline(__always)
    get { renderer?.assumingMemoryBound(to: KernelRenderer.self) }
  }

  /// [render thread] Renders an output bus of a kernel for a connected unit, which reads the
  /// samples in this unit's memory. Returns `notTried` if there is other work to do.
  @_noLocks @inline(__always)
  borrowing func pull(
    _ bus: UInt32, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer
  ) -> PullResult {
    guard let kinds = beginRender() else { return Self.isBusy }
    defer { endRender() }
    guard !kinds.has(.guardWork), let renderer = kernelRenderer else { return .notTried }
    var pulled = renderer.pointee.render(bus, flags, time, frames, sourceTable, kinds, into: buffer)
    pulled = finish(pulled, at: time)
    // Read last, to include a unit that was connected meanwhile.
    if pulled.status == noErr {
      pulled.isShared = pending.has(.manyReaders)
      pulled.canPassOn = !pulled.isShared
    }
    return pulled
  }

  /// [render thread] As `pull`, for a unit that passes on its input.
  @_noLocks @inline(__always)
  borrowing func pullPassing(
    _ bus: UInt32, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, into buffer: BusBuffer
  ) -> PullResult {
    guard let kinds = beginRender() else { return Self.isBusy }
    defer { endRender() }
    guard !kinds.has(.guardWork), bus == 0, let passThrough else { return .notTried }
    var pulled = passThrough.pointee.render(sourceTable, time, frames, into: buffer)
    pulled = finish(pulled, at: time)
    if pulled.status == noErr, pending.has(.manyReaders) {
      pulled.isShared = true
      pulled.canPassOn = false
    }
    return pulled
  }
}

/// [render thread] As `RenderSide.pull`, as a C function whose context is the render side.
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

/// [render thread] As `RenderSide.pullPassing`, as a C function whose context is the render side.
@_noLocks
private func pullPassing(
  _ side: UnsafeMutableRawPointer, _ bus: UInt32, _ flags: UnsafeMutableRawPointer?,
  _ time: UnsafeRawPointer, _ frames: UInt32, _ buffer: UnsafeMutableRawPointer
) -> UInt64 {
  side.assumingMemoryBound(to: RenderSide.self).pointee.pullPassing(
    bus, time.assumingMemoryBound(to: AudioTimeStamp.self), frames,
    into: BusBuffer(address: buffer)
  ).word
}

extension DirectSource {
  /// [control thread] The direct path to a kernel, through the render side of its unit.
  init(kernelOf side: UnsafeMutablePointer<RenderSide>) {
    self.init(function: pullKernel, context: side)
  }

  /// [control thread] The direct path through a unit that passes on its input, through its render
  /// side.
  init(passingOf side: UnsafeMutablePointer<RenderSide>) {
    self.init(function: pullPassing, context: side)
  }
}
