// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport
import CAudioToolbox

/// The unit's device, and whether it supports the enabled directions.
extension OutputUnit {
  /// The device that it uses, or would use if it started now.
  func device() throws(AudioError) -> Device {
    if let run { return run.device }
    return try DeviceList.device(deviceID, input: capturesInput, output: playsOutput)
  }

  /// The device with both directions, enabled or not.
  func wholeDevice() throws(AudioError) -> Device {
    guard let used = run?.device else {
      return try DeviceList.device(deviceID, input: true, output: true)
    }
    guard used.inputChannelCount == 0 || used.outputChannelCount == 0,
      let whole = try? DeviceList.device(deviceID, input: true, output: true)
    else { return used }
    return used.outputChannelCount > 0 ? .pair(used, whole) : .pair(whole, used)
  }

  /// Sets the formats of the device's sides to the device's formats.
  func adoptFormats(of device: Device) {
    if device.outputChannelCount > 0 {
      outputs[0].format = StreamFormat(
        sampleRate: device.sampleRate, channelCount: device.outputChannelCount)
    }
    if device.inputChannelCount > 0 {
      inputs[1].format = StreamFormat(
        sampleRate: device.sampleRate, channelCount: device.inputChannelCount)
    }
  }

  /// The device. Throws if it does not support the enabled directions.
  func usableDevice() throws(AudioError) -> Device {
    guard playsOutput || capturesInput else {
      throw .failedInitialization.because("neither input nor output is enabled")
    }
    return try check(try device())
  }

  /// Returns `device`. Throws if it does not support the enabled directions.
  func check(_ device: Device) throws(AudioError) -> Device {
    if playsOutput, device.outputChannelCount == 0 {
      throw .failedInitialization.because("device \(device.uid) has no output")
    }
    if capturesInput, device.inputChannelCount == 0 {
      throw .failedInitialization.because("device \(device.uid) has no input")
    }
    return device
  }
}
