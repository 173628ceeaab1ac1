// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// A faster path for a mixer's render that is like the previous one, as most are: it has the same
// number of frames, nothing was set or queued meanwhile, and all inputs have the kernel's format.
// Then the preparations of the previous render still apply. Each render looks up the sources again.
extension KernelRenderer {
  /// [render thread, inside the gate] The frame count that allows `repeatRender` for the next
  /// render; 0: none does.
  @_noLocks
  borrowing func repeatableFrames(after frames: UInt32) -> UInt32 {
    guard case .mixer = shape, inputs.areDirect, !switches.variesRate else { return 0 }
    return automation.isIdle && cutFrames == Int(frames) && !isCutPart ? frames : 0
  }

  /// [render thread, inside the gate] Renders like the previous render, if nothing changed;
  /// otherwise returns `notTried`.
  @_noLocks @inline(__always)
  mutating func repeatRender(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32, _ sources: SourceTable,
    _ kinds: PendingWork.Kinds
  ) -> PullResult {
    let now = time.pointee.renderTime
    guard frames == repeatableFrames, frames > 0, !kinds.has(.anyChange), now != sampleTime,
      let first = sources.oneByOne(inputs.count), !needsFirstInput || first.pointee.exists
    else { return .notTried }
    let isSettled = settle(sources)
    let pulled =
      inputs.count == 1 && needsPull(0, first, frames)
      ? inputs[0].pull(0, first, time, frames)
      : isSettled
        ? pullFed(sources.fedInputs, first, time, frames) : pullEach(first, time, frames)
    guard pulled.status == noErr else { return fail(pulled.status, frames) }
    // A callback may have changed something for the current frames.
    if pending.has(.anyChange) {
      mixChanges(frames)
    } else if !repeatPassingOn() {
      outputs.prepare()
      runKernel(kernel, work)
      silenceMixUnlessFinite(Int(frames))
      settledTable = sources.number
    }
    sampleTime = now
    isSilent = pulled.isSilent && isTailOver(Int(frames))
    if !pulled.isSilent { silentFrames = 0 }
    return PullResult(noErr, isSilent: isSilent)
  }

  /// Whether the inputs without a source are idle already; then the kernel need not look at them.
  @_noLocks @inline(__always)
  private borrowing func settle(_ sources: SourceTable) -> Bool {
    let isSettled = settledTable == sources.number
    work.pointee.inputs.changing = isSettled ? sources.fedInputs : nil
    return isSettled
  }

  /// [render thread] Makes the next slice look at all inputs.
  @_noLocks
  mutating func unsettle() {
    settledTable = 0
    work.pointee.inputs.changing = nil
  }

  /// As `pullEach`, where the inputs without a source are idle already.
  @_noLocks @inline(never)
  private borrowing func pullFed(
    _ fed: BusNumbers, _ sources: UnsafePointer<InputSource>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32
  ) -> PullResult {
    var isSilent = true
    var index = 0
    // The table may have been made for more inputs.
    while index < fed.count, fed[index] < inputs.count {
      let pulled = pull(fed[index], sources, time, frames)
      guard pulled.status == noErr else { return pulled }
      if !pulled.isSilent { isSilent = false }
      index &+= 1
    }
    return PullResult(noErr, isSilent: isSilent)
  }

  /// Pulls an input if it is on; silent if it is not.
  @_noLocks @inline(__always)
  private borrowing func pull(
    _ bus: Int, _ sources: UnsafePointer<InputSource>, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32
  ) -> PullResult {
    guard needsPull(bus, sources + bus, frames) else {
      inputs.idle(bus)
      return PullResult(noErr, isSilent: true)
    }
    return inputs[bus].pull(bus, sources + bus, time, frames)
  }

  /// Pulls the inputs that are on, one after the other. The result is silent if all inputs are.
  @_noLocks @inline(never)
  private borrowing func pullEach(
    _ sources: UnsafePointer<InputSource>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32
  ) -> PullResult {
    var isSilent = true
    var bus = 0
    while bus < inputs.count {
      let pulled = pull(bus, sources, time, frames)
      guard pulled.status == noErr else { return pulled }
      if !pulled.isSilent { isSilent = false }
      bus &+= 1
    }
    return PullResult(noErr, isSilent: isSilent)
  }

  /// Mixes the pulled inputs with values that were set meanwhile.
  @_noLocks @inline(never)
  private mutating func mixChanges(_ frames: UInt32) {
    unsettle()
    outputs.prepare()
    renderSlices(Int(frames))
    silenceMixUnlessFinite(Int(frames))
    repeatableFrames = repeatableFrames(after: frames)
  }

  /// Passes on the same input to the output as the kernel did in the previous render; false if it
  /// did not, or if the input cannot be passed on now.
  @_noLocks @inline(__always)
  private borrowing func repeatPassingOn() -> Bool {
    let passed = Int(outputs[0].pointee.slice.passedInput) &- 1
    guard passed >= 0, outputs.count == 1 else { return false }
    let input = inputs[passed]
    guard input.pointee.slice.canPassOn, !input.pointee.slice.isSilent else { return false }
    outputs.buffer(0).borrow(input.pointee.buffer)
    return true
  }
}
