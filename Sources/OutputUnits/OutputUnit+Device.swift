// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport
import CAudioToolbox

/// The unit's device, and whether it supports the enabled directions.
extension OutputUnit {
  /// The device that it uses, or would use now.
  func device() throws(AudioError) -> Device {
    if let run { return run.device }
    return try DeviceList.device(deviceID, input: capturesInput, output: playsOutput)
  }

  /// The device with all its directions, enabled or not.
  func wholeDevice() throws(AudioError) -> Device {
    guard let used = run?.device else {
      return try DeviceList.device(deviceID, input: true, output: true)
    }
    guard used.inputChannelCount == 0 || used.outputChannelCount == 0,
      let whole = try? DeviceList.device(deviceID, input: true, output: true)
    else { return used }
    return used.outputChannelCount > 0 ? .pair(used, whole) : .pair(whole, used)
  }

  /// Gives the device's sides the device's format.
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

  /// The device, if it supports the enabled directions.
  func usableDevice() throws(AudioError) -> Device {
    guard playsOutput || capturesInput else {
      throw .failedInitialization.because("neither input nor output is enabled")
    }
    return try check(try device())
  }

  /// The same device, if it supports the enabled directions.
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
