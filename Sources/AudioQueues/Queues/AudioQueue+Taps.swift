// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox

extension AudioQueue {
  /// [control thread] Adds a tap to the queue.
  package func makeTap(
    _ flags: AudioQueueProcessingTapFlags, _ callback: @escaping AudioQueueProcessingTapCallback,
    _ userData: UnsafeMutableRawPointer?
  ) throws(AudioError) -> (
    handle: AudioQueueProcessingTapRef, maximumFrames: Int, format: AudioStreamBasicDescription
  ) {
    guard flags.contains(.preEffects) != flags.contains(.postEffects),
      flags.isSubset(of: [.preEffects, .postEffects, .siphon])
    else {
      throw .invalidArgument.because("expected a tap either before or after the effects")
    }
    try requireStopped()
    guard let queue = handle else { throw .queueDisposal }
    guard currentTap == nil else { throw .queueTaps }
    let channels = Int(format.mChannelsPerFrame)
    let tap = try ProcessingTap(
      of: queue, calls: calls, channelCount: channels, isOfInput: isInput, flags, callback,
      userData)
    currentTap = tap
    guard let handle = tap.handle else { throw .queueDisposal }
    let format = StreamFormat(sampleRate: format.mSampleRate, channelCount: channels)
    return (handle, ProcessingTap.maximumFrames, format.description)
  }

  /// [control thread] Disposes of a tap.
  package static func disposeTap(_ handle: AudioQueueProcessingTapRef) throws(AudioError) {
    guard let entered = ProcessingTap.handles.enter(handle) else { throw .stale("processing tap") }
    let tap = entered.takeUnretainedValue()
    ProcessingTap.handles.leave(handle)
    try use(tap.queue) { queue throws(AudioError) in
      try queue.requireStopped()
      if queue.currentTap === tap { queue.currentTap = nil }
    }
    tap.end()
  }

  /// [inside its callback] Runs `body` on the tap behind a handle.
  package static func useTap(
    _ handle: AudioQueueProcessingTapRef, _ body: (ProcessingTap) throws(AudioError) -> Void
  ) throws(AudioError) {
    guard let entered = ProcessingTap.handles.enter(handle) else { throw .stale("processing tap") }
    defer { ProcessingTap.handles.leave(handle) }
    try body(entered.takeUnretainedValue())
  }
}
