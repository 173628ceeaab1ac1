// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// What the output unit of a playback queue calls for frames, and its data.
struct PlaybackContext {
  private let owner: OwnedMemory
  fileprivate let renderer: UnsafeMutablePointer<PlaybackRenderer>
  fileprivate let outputCount: Int
  /// Memory for one address per channel.
  fileprivate let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// Allocates a context for this many channels of the unit; `free` frees it.
  static func make(_ renderer: UnsafeMutablePointer<PlaybackRenderer>, outputCount: Int)
    -> UnsafeMutablePointer<PlaybackContext>
  {
    let owner = OwnedMemory()
    return owner.cell(
      PlaybackContext(
        owner: owner, renderer: renderer, outputCount: outputCount,
        channels: owner.room(outputCount, for: UnsafeMutablePointer<Float>.self)))
  }

  /// [while no cycle runs] Frees a context.
  static func free(_ context: UnsafeMutablePointer<PlaybackContext>) {
    context.pointee.owner.deallocate()
  }

  /// The render callback for a context.
  static func callback(_ context: UnsafeMutablePointer<PlaybackContext>) -> AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: { renderQueue($0, $2, $4, $5) }, inputProcRefCon: context)
  }
}

/// [render thread] Supplies frames to the output unit of a queue.
private func renderQueue(
  _ context: UnsafeMutableRawPointer, _ stamp: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
  _ data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let data else { return kAudio_ParamError }
  return fill(context.assumingMemoryBound(to: PlaybackContext.self), stamp, Int(frames), data)
}

@_noLocks
private func fill(
  _ context: UnsafeMutablePointer<PlaybackContext>, _ stamp: UnsafePointer<AudioTimeStamp>,
  _ frames: Int, _ data: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  let (channels, count) = (context.pointee.channels, context.pointee.outputCount)
  guard data.pointee.mNumberBuffers >= count else { return kAudio_ParamError }
  for channel in 0..<count {
    guard let memory = data.buffers[channel].mData else { return kAudio_ParamError }
    channels[channel] = memory.assumingMemoryBound(to: Float.self)
  }
  _ = context.pointee.renderer.pointee.render(
    UnsafePointer(channels), outputCount: count, frames: frames,
    hostTime: stamp.pointee.mHostTime, rateScalar: stamp.pointee.mRateScalar)
  return noErr
}
