// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// How the inputs of a mixer are filled for one slice, each from its source and by its conversion.
///
/// Inputs have nothing in common: several may be pulled at the same time.
struct InputPull: BitwiseCopyable {
  let inputs: BusTable
  /// How fast each input plays; nil: all as fast as they were recorded.
  let playback: UnsafePointer<PlaybackPath>?
  let plan: RenderPlan
  let time: UnsafePointer<AudioTimeStamp>
  let frames: Int

  @_noLocks
  init(
    _ inputs: BusTable, _ plan: RenderPlan, _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
    playback: UnsafePointer<PlaybackPath>?
  ) {
    self.inputs = inputs
    self.playback = playback
    self.plan = plan
    self.time = time
    self.frames = frames
  }

  /// [render thread] Fills one input.
  @_noLocks @inline(__always)
  func callAsFunction(_ bus: Int) -> OSStatus {
    inputs.wake(bus)
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    let status: OSStatus
    if let conversion = inputs[bus].pointee.conversion {
      status = convert(bus, conversion, &flags)
    } else {
      status = plan.pull(
        bus, &flags, time, frames, into: inputs.buffer(bus),
        allocates: inputs[bus].pointee.allocates)
    }
    if status == noErr, flags.saysSilence { inputs.silence(bus, frames) }
    return status
  }

  @_noLocks @inline(never)
  private func convert(
    _ bus: Int, _ conversion: Unmanaged<InputConversion>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
  ) -> OSStatus {
    inputs.buffer(bus).prepare()
    var path = playback
    if let first = path { path = first + bus }
    return pullConverted(
      conversion,
      InputConversion.Pull(
        plan, bus, flags, time, frames: frames, playback: path,
        to: inputs.buffer(bus).channels))
  }
}
