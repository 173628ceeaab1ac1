// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// How an effect renders.
extension KernelRenderer {
  /// [render thread] Pulls the input, has the output lie in the same memory or copies it there, and
  /// processes it in place.
  @_noLocks
  mutating func fillEffect(
    _ flags: inout AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: Int, _ plan: RenderPlan
  ) -> OSStatus {
    let (input, output) = (inputs.buffer(0), outputs.buffer(0))
    let pulled = plan.pullInput(
      0, &flags, time, frames, into: input, inputs[0].pointee.allocates ? .memory : .empty)
    guard pulled.status == noErr else { return pulled.status }
    if processesInPlace.load(ordering: .relaxed), !pulled.isShared, output.isLike(input) {
      // In the memory that the input came in.
      output.borrow(input)
    } else {
      output.copy(input, frames)
    }
    renderEffect(frames, &flags)
    return noErr
  }

  /// [render thread] Runs an effect's kernel on the output unless it is certain to give silence: the
  /// input is silent and its memory of earlier sound has run out. Bypassed it runs too, and its input
  /// takes the place of its output.
  @_noLocks
  mutating func renderEffect(
    _ frames: Int, _ flags: inout AudioUnitRenderActionFlags
  ) {
    let isBypassed = isBypassed.load(ordering: .relaxed)
    if flags.outputIsSilence {
      // The promise is kept here, should its giver have forgotten the zeros.
      outputs.buffer(0).clear(frames)
      readValues()
      let isOver = Double(silentFrames) >= tailFrames(of: kernel, sampleRate, values)
      if isOver && Double(silentFrames) >= settlingFrames(of: kernel, sampleRate) {
        bypass.jump(toInput: isBypassed)
        return skipSlices(frames)
      }
      silentFrames += frames
      flags.outputIsSilence = isOver
    } else {
      silentFrames = 0
      flags.outputIsSilence = false
    }
    let output = outputs.slice(0, frames, offset: 0)
    bypass.keep(output, isBypassed: isBypassed)
    renderSlices(frames)
    silenceUnlessFinite(output)
    bypass.crossfade(into: output, isBypassed: isBypassed)
    // A kernel that still settles leaves what is far below hearing: the flag promises zeros.
    if flags.outputIsSilence { output.clear() }
  }

  /// Resets a kernel that gave infinite samples or NaN, and makes these frames silent, so that neither its
  /// memory nor the units after it keep them.
  @_noLocks
  private func silenceUnlessFinite(_ output: Slice) {
    guard !output.isFinite else { return }
    output.clear()
    resetKernel(kernel)
  }
}
