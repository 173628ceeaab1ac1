// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Synchronization

// Rendering of a converter: for each slice it requests the number of input frames that it needs.
extension KernelRenderer {
  /// What the pulls of one render have returned.
  private enum Pull { case none, silence, sound }

  /// [render thread] Renders slice by slice and pulls the input that each slice needs.
  ///
  /// The output is silent once the input has been silent for the kernel's tail.
  @_noLocks
  mutating func fillConverter(
    _ flags: inout AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: Int, _ sources: SourceTable
  ) -> OSStatus {
    work.pointee.values.isBypassed = isBypassed.load(ordering: .relaxed)
    collect()
    readValues()
    var stamp = sourceClock.stamp(time.pointee)
    let first = stamp.mSampleTime - pendingInputFrames(of: kernel, values)
    var pulled = Pull.none
    var frame = 0
    while frame < frames {
      let moves = !automation.isIdle
      var length = moves ? automation.advance(to: frame, end: frames) : frames - frame
      readValues()
      setPiece()
      length = min(length, longestSlice(of: kernel, values))
      let status = pullConverter(length, &stamp, sources, &pulled)
      guard status == noErr else {
        advancedFrames = frame
        return status
      }
      renderSlice(length, at: frame, isPart: length < frames)
      if moves { automation.finish(length) }
      frame += length
    }
    automation.finishRender(frames)
    endPieces()
    finishConverter(frames, pulled, &flags)
    if let inputSamples {
      let pending = pendingInputFrames(of: kernel, values)
      if let listener = inputSamples.load() {
        reportInputSamples(
          listener, time, first: first, count: stamp.mSampleTime - pending - first)
      }
    }
    return noErr
  }

  /// Passes the input that a slice needs to the kernel, in pieces of at most a maximum slice.
  @_noLocks
  private mutating func pullConverter(
    _ frames: Int, _ stamp: inout AudioTimeStamp, _ sources: SourceTable, _ source: inout Pull
  ) -> OSStatus {
    var needed = inputFrameCount(neededBy: kernel, for: frames, values)
    while needed > 0 {
      let piece = min(needed, maximumFrames)
      inputs[0].beginFilling()
      let pulled = inputs[0].pull(0, sources[0], &stamp, UInt32(piece))
      guard pulled.status == noErr else { return pulled.status }
      if source != .sound { source = pulled.isSilent ? .silence : .sound }
      passInput(to: kernel, inputs.slice(0, piece, offset: 0), values)
      stamp.mSampleTime += Double(piece)
      sourceClock.advance(0, source: piece)
      needed -= piece
    }
    sourceClock.advance(frames, source: 0)
    return noErr
  }

  /// Sets the output's silence flag, and resets the kernel if the output contains infinite samples
  /// or NaN.
  @_noLocks
  private mutating func finishConverter(
    _ frames: Int, _ source: Pull, _ flags: inout AudioUnitRenderActionFlags
  ) {
    let output = outputs.slice(0, frames, offset: 0)
    switch source {
    case .sound: silentFrames = 0
    case .silence: silentFrames += frames
    case .none: silentFrames += silentFrames > 0 ? frames : 0
    }
    flags.outputIsSilence =
      silentFrames > 0
      && Double(silentFrames - frames) >= tailFrames(of: kernel, sampleRate, values)
    if flags.outputIsSilence {
      output.clear()
    } else if !output.isFinite {
      output.clear()
      resetKernel(kernel)
    }
  }
}
