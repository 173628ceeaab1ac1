// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

// Rendering of a mixer: it pulls the inputs that are on, then mixes them.
extension KernelRenderer {
  /// [render thread] Pulls the inputs that are on and mixes them.
  @_noLocks
  mutating func fillMixer(
    _ flags: inout AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: Int, _ sources: SourceTable
  ) -> OSStatus {
    collect()
    readValues()
    unsettle()
    let status = pullInputs(time, frames, sources)
    guard status == noErr else { return status }
    renderSlices(frames)
    silenceMixUnlessFinite(frames)
    flags.outputIsSilence = inputs.areSilent && isTailOver(frames)
    if !inputs.areSilent { silentFrames = 0 }
    return noErr
  }

  /// [render thread] For a mixer whose kernel has signal history: if the output contains infinite
  /// samples or NaN, silences it and resets the kernel. In other mixers such samples end with their
  /// slice, so there is no check.
  @_noLocks @inline(__always)
  borrowing func silenceMixUnlessFinite(_ frames: Int) {
    if isCheckedMixer { silenceUnlessAllFinite(frames) }
  }

  @_noLocks @inline(never)
  private borrowing func silenceUnlessAllFinite(_ frames: Int) {
    var isFinite = true
    for bus in 0..<outputs.count where !outputs.slice(bus, frames, offset: 0).isFinite {
      isFinite = false
    }
    guard !isFinite else { return }
    for bus in 0..<outputs.count { outputs.slice(bus, frames, offset: 0).clear() }
    resetKernel(kernel)
  }

  /// [render thread] Counts silent input frames. Returns whether the kernel's tail is over, so that
  /// the output is silent too.
  @_noLocks @inline(never)
  mutating func isTailOver(_ frames: Int) -> Bool {
    let isOver = Double(silentFrames) >= tailFrames(of: kernel, sampleRate, values)
    silentFrames += frames
    return isOver
  }

  /// Pulls the inputs that are on: one after the other, or on several threads of the graph.
  @_noLocks
  private borrowing func pullInputs(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int, _ sources: SourceTable
  ) -> OSStatus {
    if needsFirstInput, !sources[0].pointee.exists { return kAudioUnitErr_NoConnection }
    if switches.variesRate { switches.layOutPlayback(inputs, frames, automation) }
    let pull = MixerInputPull(inputs, sources, time, frames: frames, playback: switches.playback)
    if let parallelPull = sources.parallelPull { return pullAll(pull, parallelPull) }
    for bus in 0..<inputs.count {
      guard needsPull(bus, sources[bus], UInt32(frames)) else {
        inputs.idle(bus)
        continue
      }
      let status = pull(bus)
      guard status == noErr else { return status }
    }
    return noErr
  }

  @_noLocks @inline(never)
  private borrowing func pullAll(_ pull: MixerInputPull, _ parallelPull: ParallelPull) -> OSStatus {
    for bus in 0..<inputs.count {
      let needsPull = needsPull(bus, pull.sources[bus], UInt32(pull.frames))
      if !needsPull { inputs.idle(bus) }
      parallelPull.request(bus, needsPull)
    }
    return parallelPull.run(pull)
  }

  /// Whether an input has a source, and is on during any of the coming frames or still fades out.
  @_noLocks @inline(__always)
  borrowing func needsPull(
    _ bus: Int, _ source: UnsafePointer<InputSource>, _ frames: UInt32
  ) -> Bool {
    guard source.pointee.exists else { return false }
    return inputs[bus].pointee.isOn || isStillPulled(bus, frames)
  }

  @_noLocks @inline(never)
  private borrowing func isStillPulled(_ bus: Int, _ frames: UInt32) -> Bool {
    switches.isStillPulled(inputs, bus, Int(frames), automation)
  }
}
