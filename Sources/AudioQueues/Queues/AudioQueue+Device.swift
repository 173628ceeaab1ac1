// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
internal import AudioSupport
import AudioUnitCore
internal import CAudioToolbox

// The device of queues of both kinds.
extension AudioQueue {
  /// [control thread] The device that it uses, or would.
  func device() throws(AudioError) -> Device {
    try DeviceLink.device(monitor.withLock { deviceUID }, isInput: isInput)
  }

  /// Whether a clock paces a device; otherwise cycles follow as fast as possible.
  func isPaced(_ device: Device) -> Bool {
    let environment = try? DeviceEnvironment.current()
    return environment?.clock != .fast || !["null", "file"].contains(device.backend)
  }

  /// [under control] Replaces the link to the device.
  func makeLink() throws(AudioError) -> DeviceLink {
    link?.close()
    let link = try DeviceLink(kAudioUnitSubType_HALOutput, isInput: isInput)
    self.link = link
    return link
  }

  /// [under control] Starts the cycles, and observes the device.
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

  /// [under control] Resumes after a pause.
  func resumeDevice() throws(AudioError) {
    guard let link else { throw .queueCannotStart }
    try link.start()
  }

  /// [under control] Returns when no cycle can run any more.
  func stopDevice() { link?.stop() }

  /// A stream started or ended; an unexpected end shows only here.
  private func deviceChanged() {
    monitor.withLock {
      guard state == .running, !isStartingOrStopping else { return }
      hasLostDevice = true
      monitor.signal()
    }
  }

  /// A format of the unit changed: on the device's side that means another device.
  private func formatChanged(_ scope: AudioUnitScope) {
    guard scope == (isInput ? kAudioUnitScope_Input : kAudioUnitScope_Output) else { return }
    let isMove = monitor.withLock {
      guard state == .running, !isStartingOrStopping else { return false }
      deviceGaps += 1
      return true
    }
    if isMove { notify(kAudioQueueProperty_CurrentDevice) }
  }

  /// [the queue's thread] The event may belong to a stream that has been replaced since.
  func loseDevice() {
    let isLost = control.withLock {
      let runs = link?.isRunning ?? false
      return monitor.withLock {
        hasLostDevice = false
        return !runs && state == .running
      }
    }
    guard isLost else { return }
    Explanations.log("audio queue: its device has stopped unexpectedly")
    try? stop(immediately: true)
  }
}
