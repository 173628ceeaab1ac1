// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A back end with its devices, as the library describes it.
struct BackEnd {
  let name: String
  /// Why it has no devices; nil when it has.
  let reason: String?
  let devices: [Device]

  /// All back ends, or the one with a name.
  static func all(named name: String? = nil) -> [BackEnd] {
    AUDevicesCopyBackEnds(name as CFString?).takeRetainedValue()
      .compactMap { ($0 as? [String: Any]).flatMap(BackEnd.init) }
  }

  private init?(_ description: [String: Any]) {
    guard let name = description[kAUBackEndNameKey] as? String,
      let devices = description[kAUBackEndDevicesKey] as? [[String: Any]]
    else { return nil }
    self.name = name
    reason = description[kAUBackEndReasonKey] as? String
    self.devices = devices.map { Device(values: $0) }
  }

  /// A device of a back end.
  struct Device {
    fileprivate let values: [String: Any]

    var uid: String { self[kAUDeviceUIDKey] ?? "" }
    var name: String { self[kAUDeviceNameKey] ?? "" }
    var inputChannels: Int { self[kAUDeviceInputChannelsKey] ?? 0 }
    var outputChannels: Int { self[kAUDeviceOutputChannelsKey] ?? 0 }
    var sampleRate: Double { self[kAUDeviceSampleRateKey] ?? 0 }
    var lowestSampleRate: Double { self[kAUDeviceLowestSampleRateKey] ?? 0 }
    var highestSampleRate: Double { self[kAUDeviceHighestSampleRateKey] ?? 0 }
    var cycleFrames: Int { self[kAUDeviceCycleFramesKey] ?? 0 }
    var fewestCycleFrames: Int { self[kAUDeviceFewestCycleFramesKey] ?? 0 }
    var mostCycleFrames: Int { self[kAUDeviceMostCycleFramesKey] ?? 0 }
    var isDefaultInput: Bool { self[kAUDeviceIsDefaultInputKey] ?? false }
    var isDefaultOutput: Bool { self[kAUDeviceIsDefaultOutputKey] ?? false }
    var isRunning: Bool { self[kAUDeviceIsRunningKey] ?? false }

    /// Whether its server manages a setting (`kAUDeviceSetting…`) for all programs.
    func manages(_ setting: String) -> Bool {
      let settings: [String] = self[kAUDeviceServerSettingsKey] ?? []
      return settings.contains(setting)
    }

    private subscript<Value>(key: String) -> Value? { values[key] as? Value }
  }
}
