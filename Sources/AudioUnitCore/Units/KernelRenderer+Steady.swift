// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Slices like the one before: most of them. As many frames are wanted, nothing was set, queued or edited
// meanwhile, and a mixer's inputs come from kernels and callbacks just as its kernel takes them. Then
// what the slice before has found out still holds, and the inputs are pulled and mixed without it.
extension KernelRenderer {
  /// [render thread, inside the gate] Whether the next slice may be like this one, of so many frames.
  @_noLocks
  borrowing func mayRepeat(_ frames: Int) -> Bool {
    guard case .mixer = shape, inputs.areDirect, !taps.variesRate else { return false }
    return automation.isIdle && cutFrames == frames && !isCutPart
  }

  /// [render thread, inside the gate] Renders such a slice; nothing where it is another.
  @_noLocks @inline(__always)
  mutating func repeatSlice(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ plan: RenderPlan,
    _ reasons: Attention.Reasons
  ) -> Pulled {
    let now = time.pointee.renderTime
    guard frames == steadyFrames, !reasons.has(.news), now != sampleTime,
      let sources = plan.sources.plain(inputs.count)
    else { return .nothing }
    var isSounding = false
    var bus = 0
    while bus < inputs.count {
      let input = inputs[bus]
      if sources[bus].isThere, input.pointee.isOn || isStillOpen(bus, frames) {
        let status = input.pull(bus, sources + bus, time, frames)
        guard status == noErr else { return fail(status, frames) }
        if !input.pointee.slice.isSilent { isSounding = true }
      } else {
        inputs.rest(bus)
      }
      bus &+= 1
    }
    if !lendAgain() {
      outputs.prepare()
      runKernel(kernel, work)
    }
    sampleTime = now
    isSilent = !isSounding && isOver(Int(frames))
    if isSounding { silentFrames = 0 }
    return Pulled(noErr, isSilent: isSilent)
  }

  /// Hands on the input that the kernel handed on in the slice before.
  @_noLocks @inline(__always)
  private borrowing func lendAgain() -> Bool {
    let lender = Int(outputs[0].pointee.slice.lender) &- 1
    guard lender >= 0, outputs.count == 1 else { return false }
    let input = inputs[lender]
    guard input.pointee.slice.isLendable, !input.pointee.slice.isSilent else { return false }
    outputs.buffer(0).borrow(input.pointee.buffer)
    return true
  }

  @_noLocks @inline(never)
  private borrowing func isStillOpen(_ bus: Int, _ frames: UInt32) -> Bool {
    taps.isStillOpen(inputs, bus, Int(frames), automation)
  }
}
