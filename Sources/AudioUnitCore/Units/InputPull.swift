// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// How the inputs of a mixer are filled for one slice, each from its source and by its conversion.
///
/// Inputs have nothing in common: several may be pulled at the same time.
struct InputPull: BitwiseCopyable {
  let inputs: BusTable
  let taps: InputTaps
  let plan: RenderPlan
  let time: UnsafePointer<AudioTimeStamp>
  let frames: Int

  @_noLocks
  init(
    _ inputs: BusTable, _ taps: InputTaps, _ plan: RenderPlan,
    _ time: UnsafePointer<AudioTimeStamp>, frames: Int
  ) {
    self.inputs = inputs
    self.taps = taps
    self.plan = plan
    self.time = time
    self.frames = frames
  }

  /// [render thread] Fills one input.
  @_noLocks
  func callAsFunction(_ bus: Int) -> OSStatus {
    inputs.wake(bus)
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    var status = noErr
    if let conversion = taps.conversions[bus] {
      inputs.buffers[bus].prepare(frames)
      let rate = taps.variesRate ? inputs.stores[bus].value(taps.rateSlot) : 1
      status = pullConverted(
        conversion,
        InputConversion.Pull(
          plan, bus, &flags, time, frames: frames, playbackRate: rate,
          to: inputs.buffers[bus].channels))
    } else {
      status = plan.pull(
        bus, &flags, time, frames, into: inputs.buffers[bus], allocates: inputs.allocates[bus])
    }
    if status == noErr, flags.saysSilence { inputs.silence(bus, frames) }
    return status
  }
}
