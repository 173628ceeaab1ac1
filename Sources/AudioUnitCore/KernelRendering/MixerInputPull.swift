// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Fills the inputs of a mixer for one render: each from its source, through its conversion.
///
/// Inputs share nothing: several may be pulled at the same time.
struct MixerInputPull: BitwiseCopyable {
  let inputs: BusTable
  /// The playback rates of the inputs; nil: all inputs play at the recorded rate.
  let playback: UnsafePointer<PlaybackRates>?
  let sources: SourceTable
  let time: UnsafePointer<AudioTimeStamp>
  let frames: Int

  @_noLocks
  init(
    _ inputs: BusTable, _ sources: SourceTable, _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
    playback: UnsafePointer<PlaybackRates>?
  ) {
    self.inputs = inputs
    self.playback = playback
    self.sources = sources
    self.time = time
    self.frames = frames
  }

  /// [render thread] Fills one input.
  @_noLocks @inline(never)
  func callAsFunction(_ bus: Int) -> OSStatus {
    guard let conversion = inputs[bus].pointee.conversion else {
      return inputs[bus].pull(bus, sources[bus], time, UInt32(frames)).status
    }
    inputs[bus].beginFilling()
    inputs.buffer(bus).prepare()
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    var path = playback
    if let first = path { path = first + bus }
    // A switched-off input pulls only the frames that it needs to fade out, even if the slice is
    // longer. Its conversion is reset, for when it is switched on again.
    let fading = inputs[bus].pointee.fadingFrames
    let isOver = !inputs[bus].pointee.isOn && fading <= 0
    let open = isOver ? min(frames, Int(-fading)) : frames
    let channels = inputs.buffer(bus).channels
    let status = pullConverted(
      conversion,
      InputConversion.Pull(sources, bus, &flags, time, frames: open, playback: path, to: channels))
    if status == noErr, flags.outputIsSilence {
      inputs[bus].silence(frames)
    } else if open < frames {
      for channel in 0..<inputs.buffer(bus).channelCount {
        (channels[channel] + open).update(repeating: 0, count: frames - open)
      }
    }
    if isOver { resetConversion(conversion) }
    return status
  }
}

extension UnsafeMutablePointer<Bus> {
  /// [render thread] Fills an input whose source has the kernel's format.
  @_noLocks @inline(__always)
  func pull(
    _ bus: Int, _ source: UnsafePointer<InputSource>, _ time: UnsafePointer<AudioTimeStamp>,
    _ frames: UInt32
  ) -> PullResult {
    // Even after a failure, the memory may no longer be zero.
    pointee.isIdle = false
    let pulled = source.pull(
      bus, nil, time, frames, into: pointee.buffer, pointee.allocates ? .memory : .empty)
    guard pulled.status == noErr else { return pulled }
    pointee.slice.isSilent = false
    pointee.slice.canPassOn = pulled.canPassOn
    if pulled.isSilent { silence(Int(frames)) }
    return pulled
  }
}
