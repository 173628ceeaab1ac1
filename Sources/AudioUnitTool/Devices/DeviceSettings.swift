// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText
@_spi(TrappingConversions) import CheckedNumbers

/// The changes of `au devices set` to a device, for all programs.
struct DeviceSettings {
  /// A volume as people type it.
  enum Volume: Equatable {
    case percent(Double)
    case decibels(Double)

    /// Reads "50%", "50" and "-6dB".
    static let reader = ValueReader<Volume>(
      expected:
        "a share from 0 to 100 percent, such as 50%, or a level from -96 to 0 dB, such as -6dB",
      limits: ", from 0 to 100 percent, such as 50%, or in decibels from -96dB to 0dB"
    ) { text in
      if text.lowercased().hasSuffix("db") {
        return Quantity.decibels.value(of: text).flatMap {
          (-96...0).contains($0) ? .decibels($0) : nil
        }
      }
      return Quantity.percent.value(of: text).flatMap {
        (0...100).contains($0) ? .percent($0) : nil
      }
    }
  }

  /// A switch.
  enum Switch: String, CaseIterable { case on, off }

  /// The endpoint for which a device becomes the default.
  enum Default: String, CaseIterable { case output, input, both }

  var makesDefault: Default?
  var sampleRate: Double?
  var cycleFrames: Int?
  var volume: Volume?
  var mute: Switch?

  var isEmpty: Bool {
    makesDefault == nil && sampleRate == nil && cycleFrames == nil && volume == nil && mute == nil
  }

  /// Changes a device, after checking that the server manages all of the settings.
  func apply(to uid: String) throws {
    let device = try HardwareObject(uid)
    try check(uid)
    let scope = scope(of: device)
    if let mute {
      try device.set(
        kAudioDevicePropertyMute, (mute == .on ? 1 : 0) as UInt32, scope, "\(uid): --mute")
    }
    switch volume {
    case .percent(let percent):
      try device.set(
        kAudioDevicePropertyVolumeScalar, Float32(percent / 100), scope, "\(uid): --volume")
    case .decibels(let decibels):
      try device.set(
        kAudioDevicePropertyVolumeDecibels, Float32(decibels), scope, "\(uid): --volume")
    case nil: break
    }
    if let sampleRate {
      try device.set(kAudioDevicePropertyNominalSampleRate, sampleRate, "\(uid): --rate")
    }
    if let cycleFrames {
      try device.set(
        kAudioDevicePropertyBufferFrameSize, UInt32(clamping: cycleFrames), "\(uid): --cycle")
    }
    if makesDefault == .output || makesDefault == .both {
      try HardwareObject.system.set(
        kAudioHardwarePropertyDefaultOutputDevice, device.id, "\(uid): --default")
    }
    if makesDefault == .input || makesDefault == .both {
      try HardwareObject.system.set(
        kAudioHardwarePropertyDefaultInputDevice, device.id, "\(uid): --default")
    }
  }

  /// The endpoint that --volume and --mute apply to: the output, if there is one.
  private func scope(of device: HardwareObject) -> AudioObjectPropertyScope {
    DeviceEndpoint(device, isInput: false) == nil
      ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput
  }

  /// Refuses settings that would not outlive this program, because no server manages them.
  private func check(_ uid: String) throws {
    let backEnd = String(uid.prefix { $0 != ":" })
    let device = BackEnd.all(named: backEnd).flatMap(\.devices).first { $0.uid == uid }
    func isManaged(_ setting: String) -> Bool { device?.manages(setting) ?? false }
    func refuse(_ option: String, _ setting: String, _ instead: String) throws -> Never {
      throw Failure("\(uid): \(option): no server manages \(setting) of this device; \(instead)")
    }
    if volume != nil, !isManaged(kAUDeviceSettingVolume) {
      try refuse("--volume", "a volume", "each program has its own")
    }
    if mute != nil, !isManaged(kAUDeviceSettingMute) {
      try refuse("--mute", "a mute switch", "each program has its own")
    }
    if sampleRate != nil, !isManaged(kAUDeviceSettingSampleRate) {
      if let device, device.lowestSampleRate == device.highestSampleRate {
        let rate = Int(saturating: device.lowestSampleRate)
        throw Failure("\(uid): --rate: its server runs only at \(rate) Hz")
      }
      try refuse("--rate", "the rate", "each program requests its own, by AUDIOTOOLBOX_RATE too")
    }
    if cycleFrames != nil, !isManaged(kAUDeviceSettingCycleFrames) {
      try refuse(
        "--cycle", "the cycle", "each program requests its own, by AUDIOTOOLBOX_FRAMES too")
    }
  }
}
