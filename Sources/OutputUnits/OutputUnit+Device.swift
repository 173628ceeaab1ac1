// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioHardware
import AudioSupport
import CAudioToolbox

/// The unit's device, and whether it supports the enabled directions.
extension OutputUnit {
  /// The device that it uses, or would use if it started now.
  func device() throws(AudioError) -> Device {
    if let device = client.connection?.device { return device }
    return try DeviceList.device(
      deviceID, input: capturesInput && !(playsOutput && hasCategoryWithoutInput),
      output: playsOutput)
  }

  /// Whether the audio session's category has no input.
  var hasCategoryWithoutInput: Bool { DeviceContext.current.preferences.all.silencesInput }

  /// Why the captured input of a unit that plays is silent. Nil if it is not.
  func silenceReason(_ device: Device) -> String? {
    guard capturesInput, playsOutput else { return nil }
    if hasCategoryWithoutInput { return "the audio session's category has no input" }
    return device.inputChannelCount == 0 ? "device \(device.uid) has no input" : nil
  }

  /// The device with both directions, enabled or not.
  func wholeDevice() throws(AudioError) -> Device {
    guard let used = client.connection?.device else {
      return try DeviceList.device(deviceID, input: true, output: true)
    }
    guard used.inputChannelCount == 0 || used.outputChannelCount == 0,
      let whole = try? DeviceList.device(deviceID, input: true, output: true)
    else { return used }
    return used.outputChannelCount > 0 ? .pair(used, whole) : .pair(whole, used)
  }

  /// Sets the formats of the elements that face the device to the device's formats.
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
    return try check(try device(), silencesInput: hasCategoryWithoutInput)
  }

  /// Returns `device`. Throws if it does not support the enabled directions. A unit that plays does
  /// so without an input, too.
  func check(_ device: Device, silencesInput: Bool) throws(AudioError) -> Device {
    if playsOutput, device.outputChannelCount == 0 {
      throw .failedInitialization.because("device \(device.uid) has no output")
    }
    guard capturesInput, !playsOutput else { return device }
    if silencesInput {
      throw .failedInitialization.because(
        "the audio session's category has no input; set playAndRecord or record")
    }
    if device.inputChannelCount == 0 {
      throw .failedInitialization.because(
        "device \(device.uid) has no input; the monitor of an output must be named")
    }
    return device
  }
}
