// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

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
    guard let queue = handle else { throw .queueDisposal }
    let channels = Int(format.mChannelsPerFrame)
    let tap = try ProcessingTap(
      of: queue, calls: core.calls.entry, channelCount: channels, isOfInput: isInput, flags,
      callback,
      userData)
    guard let handle = tap.handle else { throw .queueDisposal }
    do throws(AudioError) {
      try lock.withLock { () throws(AudioError) in
        // Another thread may have added a tap, or started the queue.
        try requireRoomForTap()
        access.tap = tap
      }
    } catch {
      tap.end()
      throw error
    }
    let format = StreamFormat(sampleRate: format.mSampleRate, channelCount: channels)
    return (handle, ProcessingTap.maximumFrames, format.description)
  }

  /// [holding `lock`] Throws unless a tap can be added.
  private func requireRoomForTap() throws(AudioError) {
    guard !isDisposing else { throw .queueDisposal }
    guard state == .stopped else {
      throw .queueRunState.because("the queue is \(state); stop it first")
    }
    guard access.tap == nil else { throw .queueTaps }
  }

  /// [control thread] Disposes of a tap. No callback of it runs any more, or will.
  package static func disposeTap(_ handle: AudioQueueProcessingTapRef) throws(AudioError) {
    guard let entered = ProcessingTap.handles.enter(handle) else { throw .stale("processing tap") }
    let tap = entered.takeUnretainedValue()
    ProcessingTap.handles.leave(handle)
    try use(tap.queue) { queue throws(AudioError) in
      try queue.access.requireStopped()
      // A callback may still run: the queue's thread ends its work after the device's.
      try queue.access.whileHalted {
        if queue.access.currentTap === tap { queue.access.currentTap = nil }
      }
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
