// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Rendering of an effect.
extension KernelRenderer {
  /// [render thread] Pulls the input, points the output at the input's memory or copies the input,
  /// and processes the output in place.
  @_noLocks
  mutating func fillEffect(
    _ flags: inout AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: Int, _ sources: SourceTable
  ) -> OSStatus {
    let (input, output) = (inputs.buffer(0), outputs.buffer(0))
    let pulled = pullEffectInput(&flags, time, frames, sources)
    guard pulled.status == noErr else { return pulled.status }
    if processesInPlace.load(ordering: .relaxed), !pulled.isShared, output.isLike(input) {
      // Renders in the input's memory.
      output.borrow(input)
    } else {
      output.copy(input, frames)
    }
    renderEffect(frames, &flags)
    return noErr
  }

  /// Fills the input from its source, through its conversion if it has one.
  @_noLocks @inline(__always)
  private borrowing func pullEffectInput(
    _ flags: inout AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: Int, _ sources: SourceTable
  ) -> PullResult {
    let input = inputs.buffer(0)
    guard let conversion = inputs[0].pointee.conversion else {
      return sources.pullInput(
        0, &flags, time, frames, into: input, inputs[0].pointee.allocates ? .memory : .empty)
    }
    input.prepare()
    let status = pullConverted(
      conversion,
      InputConversion.Pull(
        sources, 0, &flags, time, frames: frames, playback: nil, to: input.channels))
    return PullResult(status, isSilent: flags.outputIsSilence)
  }

  /// [render thread] Runs an effect's kernel on the output, unless the input is silent and the tail
  /// is over, so that the result is certain to be silent. The kernel also runs during bypass; then
  /// its input replaces its output.
  @_noLocks
  mutating func renderEffect(
    _ frames: Int, _ flags: inout AudioUnitRenderActionFlags
  ) {
    let isBypassed = isBypassed.load(ordering: .relaxed)
    if flags.outputIsSilence {
      // Writes the promised zeros, in case the source did not.
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
    bypass.store(output, isBypassed: isBypassed)
    renderSlices(frames)
    silenceUnlessFinite(output)
    bypass.crossfade(into: output, isBypassed: isBypassed)
    // A decaying kernel leaves an inaudible rest, but the flag promises zeros.
    if flags.outputIsSilence { output.clear() }
  }

  /// If the output contains infinite samples or NaN, silences it and resets the kernel, so that
  /// neither the kernel's history nor later units retain them.
  @_noLocks
  private func silenceUnlessFinite(_ output: Slice) {
    guard !isAlwaysFinite, !output.isFinite else { return }
    output.clear()
    resetKernel(kernel)
  }
}
