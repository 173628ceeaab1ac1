// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Slices of a mixer that are like the previous one, as most are: the same number of frames, nothing
// set or queued meanwhile, and inputs in the kernel's format. Then the findings of the previous
// slice still hold. The sources are looked up for each slice.
extension KernelRenderer {
  /// [render thread, inside the gate] The number of frames for which the next slice can be like
  /// this one; 0: it cannot.
  @_noLocks
  borrowing func steadyFrames(after frames: UInt32) -> UInt32 {
    guard case .mixer = shape, inputs.areDirect, !switches.variesRate else { return 0 }
    return automation.isIdle && cutFrames == Int(frames) && !isCutPart ? frames : 0
  }

  /// [render thread, inside the gate] Renders such a slice; does nothing for any other.
  @_noLocks @inline(__always)
  mutating func repeatSlice(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ plan: RenderPlan,
    _ kinds: PendingWork.Kinds
  ) -> Pulled {
    let now = time.pointee.renderTime
    guard frames == steadyFrames, frames > 0, !kinds.has(.anyChange), now != sampleTime,
      let sources = plan.sources.oneByOne(inputs.count)
    else { return .notTried }
    let pulled =
      inputs.count == 1 && needsPull(0, sources, frames)
      ? inputs[0].pull(0, sources, time, frames) : pullEach(sources, time, frames)
    guard pulled.status == noErr else { return fail(pulled.status, frames) }
    // A callback may have set something for the present frames.
    if pending.has(.anyChange) {
      mixChanges(frames)
    } else if !repeatLending() {
      outputs.prepare()
      runKernel(kernel, work)
      silenceMixUnlessFinite(Int(frames))
    }
    sampleTime = now
    isSilent = pulled.isSilent && isOver(Int(frames))
    if !pulled.isSilent { silentFrames = 0 }
    return Pulled(noErr, isSilent: isSilent)
  }

  /// Pulls the inputs that are on, one after the other; silent when all of them are.
  @_noLocks @inline(never)
  private borrowing func pullEach(
    _ sources: UnsafePointer<InputSource>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32
  ) -> Pulled {
    var isSilent = true
    var bus = 0
    while bus < inputs.count {
      if needsPull(bus, sources + bus, frames) {
        let pulled = inputs[bus].pull(bus, sources + bus, time, frames)
        guard pulled.status == noErr else { return pulled }
        if !pulled.isSilent { isSilent = false }
      } else {
        inputs.idle(bus)
      }
      bus &+= 1
    }
    return Pulled(noErr, isSilent: isSilent)
  }

  /// Mixes what was pulled, using values that were set meanwhile.
  @_noLocks @inline(never)
  private mutating func mixChanges(_ frames: UInt32) {
    outputs.prepare()
    renderSlices(Int(frames))
    silenceMixUnlessFinite(Int(frames))
    steadyFrames = steadyFrames(after: frames)
  }

  /// Passes on the same input that the kernel passed on in the previous slice.
  @_noLocks @inline(__always)
  private borrowing func repeatLending() -> Bool {
    let lender = Int(outputs[0].pointee.slice.lender) &- 1
    guard lender >= 0, outputs.count == 1 else { return false }
    let input = inputs[lender]
    guard input.pointee.slice.isLendable, !input.pointee.slice.isSilent else { return false }
    outputs.buffer(0).borrow(input.pointee.buffer)
    return true
  }
}
