// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
internal import AudioSupport
import AudioUnitCore
internal import CAudioToolbox

// The device of playback and recording queues.
extension AudioQueue {
  /// [control thread] The device that the queue uses, or will use when it starts.
  func device() throws(AudioError) -> Device {
    try DeviceLink.device(lock.withLock { deviceUID }, isInput: isInput)
  }

  /// Whether a clock paces the device; otherwise cycles run as fast as possible.
  func isPaced(_ device: Device) -> Bool {
    let environment = try? DeviceEnvironment.current()
    return environment?.clock != .fast || !["null", "file"].contains(device.backend)
  }

  /// [holding `control`] Replaces the link to the device.
  func makeLink() throws(AudioError) -> DeviceLink {
    link?.close()
    let link = try DeviceLink(kAudioUnitSubType_HALOutput, isInput: isInput)
    self.link = link
    return link
  }

  /// [holding `control`] Starts the cycles, and observes the device.
  func start(_ link: DeviceLink, _ setup: DeviceLink.Setup) throws(AudioError) {
    try link.prepare(setup)
    let me = Unmanaged.passUnretained(self).toOpaque()
    link.listen(
      to: kAudioOutputUnitProperty_IsRunning,
      PropertyListener(
        { context, _, _, _, _ in
          Unmanaged<AudioQueue>.fromOpaque(context).takeUnretainedValue().deviceChanged()
        }, me))
    link.listen(
      to: kAudioUnitProperty_StreamFormat,
      PropertyListener(
        { context, _, _, scope, _ in
          Unmanaged<AudioQueue>.fromOpaque(context).takeUnretainedValue().formatChanged(scope)
        }, me))
    try link.start()
  }

  /// [holding `control`] Resumes after a pause.
  func resumeDevice() throws(AudioError) {
    guard let link else { throw .queueCannotStart }
    try link.start()
  }

  /// [holding `control`] Stops the cycles; returns when none can run any more.
  func stopDevice() {
    // The last cycle may be waiting for frames.
    setStopping(true)
    link?.stop()
    setStopping(false)
  }

  /// A stream started or ended. Only this call reports an unexpected end.
  private func deviceChanged() {
    lock.withLock {
      guard state.runs else { return }
      state = .lost
      lock.signal()
    }
  }

  /// A format of the unit changed. Where it faces the device, this means another device.
  private func formatChanged(_ scope: AudioUnitScope) {
    guard scope == (isInput ? kAudioUnitScope_Input : kAudioUnitScope_Output) else { return }
    let isMove = lock.withLock {
      guard state.runs else { return false }
      deviceGaps += 1
      return true
    }
    if isMove { notify(kAudioQueueProperty_CurrentDevice) }
  }

  /// [the queue's thread] Stops the queue if its device has stopped; the event may belong to a
  /// stream that has been replaced since.
  func loseDevice() {
    access.controllingIfFree {
      let runs = link?.isRunning ?? false
      let isLost = lock.withLock {
        guard state == .lost else { return false }
        state = .running
        return !runs
      }
      guard isLost else { return }
      Explanations.log("audio queue: its device has stopped unexpectedly")
      try? stop(immediately: true)
    }
  }
}
