// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers

/// Sets the default device on servers that have one.
package enum DefaultDevice {
  /// Seconds to wait for the session manager.
  private static let timeout = 2.0

  /// [control thread] Has the server make a device the default one, for all programs, and waits
  /// until that is done.
  ///
  /// - Throws: The reason if the environment or the server prevents it.
  package static func set(_ id: AudioObjectID, isInput: Bool) throws(AudioError) {
    let device = try AudioObjects.device(id).endpoint(isInput: isInput)
    let use = isInput ? "captures" : "plays"
    guard (isInput ? device.inputChannelCount : device.outputChannelCount) > 0 else {
      throw refusal("the default device", device.uid, "a device that \(use)")
    }
    guard !device.details.isMonitor else {
      throw AudioError(status: kAudioHardwareUnsupportedOperationError).because(
        "\(device.uid) cannot be the default input: sound that is passed through would feed back")
    }
    guard AudioObjects.defaultDevice(isInput: isInput) != id else { return }
    if let name = try DeviceEnvironment.current().device, name.device != nil {
      throw AudioError(status: kAudioHardwareUnsupportedOperationError).because(
        "AUDIOTOOLBOX_DEVICE names \(name), which is this process's default device")
    }
    let current = try Backends.current()
    guard type(of: current).name == device.backend else {
      throw AudioError(status: kAudioHardwareUnsupportedOperationError).because(
        "\(device.uid) cannot be the default device: it must be one of \(type(of: current).name)")
    }
    try device.change(isInput ? .defaultInput : .defaultOutput, "the default device to one")
    let deadline = rt_host_time() + UInt64(saturating: Self.timeout * 1e9)
    let isDefault = waitPolling(every: 5_000, until: deadline) {
      DeviceCache.invalidate()
      return AudioObjects.defaultDevice(isInput: isInput) != DeviceList.id(of: device)
    }
    guard isDefault else {
      throw AudioError(status: kAudioHardwareNotReadyError).because(
        "\(device.backend) has not made \(device.uid) the default device within two seconds")
    }
  }
}
