// SPDX-License-Identifier: Apache-2.0
import AudioDevices
public import AudioSupport
import CAudioToolbox

/// The back ends with their devices, as AUDevices.h describes them.
public enum BackEndReport {
  /// [control thread] All back ends, or the one with a name.
  public static func descriptions(of name: String? = nil) -> [PropertyList] {
    _ = AggregateBackend.registered
    let surveys =
      if let name { [Backends.survey(of: name)].compactMap(\.self) } else { Backends.survey() }
    return surveys.map { survey in
      var entries: [String: PropertyList] = [
        kAUBackEndNameKey: .string(survey.backend),
        kAUBackEndDevicesKey: .array(survey.devices.map(description)),
      ]
      if let reason = survey.reason { entries[kAUBackEndReasonKey] = .string(reason) }
      return .dictionary(entries)
    }
  }

  private static func description(_ device: Device) -> PropertyList {
    var entries: [String: PropertyList] = [
      kAUDeviceUIDKey: .string(device.uid), kAUDeviceNameKey: .string(device.name),
      kAUDeviceInputChannelsKey: .integer(device.inputChannelCount),
      kAUDeviceOutputChannelsKey: .integer(device.outputChannelCount),
      kAUDeviceSampleRateKey: .real(device.sampleRate),
      kAUDeviceLowestSampleRateKey: .real(device.sampleRates.lowerBound),
      kAUDeviceHighestSampleRateKey: .real(device.sampleRates.upperBound),
      kAUDeviceCycleFramesKey: .integer(device.cycleFrames),
      kAUDeviceFewestCycleFramesKey: .integer(device.cycleFramesRange.lowerBound),
      kAUDeviceMostCycleFramesKey: .integer(device.cycleFramesRange.upperBound),
      kAUDeviceIsDefaultInputKey: .bool(device.isDefaultInput),
      kAUDeviceIsDefaultOutputKey: .bool(device.isDefaultOutput),
      kAUDeviceServerSettingsKey: .array(serverSettings(device.details).map { .string($0) }),
    ]
    if let isRunning = device.details.isRunning {
      entries[kAUDeviceIsRunningKey] = .bool(isRunning)
    }
    return .dictionary(entries)
  }

  private static func serverSettings(_ details: DeviceDetails) -> [String] {
    [
      (kAUDeviceSettingVolume, details.volumes != nil),
      (kAUDeviceSettingMute, details.isMuted != nil),
      (kAUDeviceSettingSampleRate, !details.switchableRates.isEmpty),
      (kAUDeviceSettingCycleFrames, details.switchableCycles != nil),
    ].filter(\.1).map(\.0)
  }

  /// [control thread] The device that programs get if they name none; nil if there is none.
  public static func chosenUID() throws(AudioError) -> String? {
    _ = AggregateBackend.registered
    let devices = try Backends.current().devices()
    return (devices.first { $0.isDefaultOutput } ?? devices.first)?.uid
  }

  /// [control thread] Sets what this process requests from devices that it opens later; nil: the
  /// device's own rate or cycle.
  public static func prefer(sampleRate: Double?, cycleFrames: Int?) {
    DeviceContext.current.preferences.set {
      $0.sampleRate = sampleRate
      $0.cycleFrames = cycleFrames
    }
  }
}
