// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The volume and the mute switch of one side of a device, or of one channel of it.
///
/// When a server has a volume it is that one, which applies to all programs and is shown in mixers:
/// 0 to 1, where an amplitude is its cube. Otherwise it is a factor for this process's output to
/// the device.
struct SideLevel {
  /// The device that it belongs to.
  let device: Device
  /// 0 is the whole side, others are channels.
  let element: Int

  /// Nil when the side has no volume for that element.
  init?(_ device: Device, isInput: Bool, element: Int) {
    let device = device.side(isInput: isInput)
    let count = isInput ? device.inputChannelCount : device.outputChannelCount
    guard count > 0 else { return nil }
    if let volumes = device.details.volumes {
      guard element <= volumes.count else { return nil }
    } else {
      guard !isInput, element == 0 else { return nil }
    }
    (self.device, self.element) = (device, element)
  }

  /// Nil when the address is not a volume.
  init?(_ device: Device, _ address: AudioObjectPropertyAddress) {
    let isInput = address.mScope == kAudioObjectPropertyScopeInput
    guard isInput || address.mScope == kAudioObjectPropertyScopeOutput else { return nil }
    self.init(device, isInput: isInput, element: Int(address.mElement))
  }

  /// Whether the volume is the server's.
  private var isServerVolume: Bool { device.details.volumes != nil }
  private var processLevel: DeviceLevel { DeviceLevel.of(device.outputUID) }

  /// 0 to 1.
  var scalar: Float {
    guard let volumes = device.details.volumes else { return processLevel.volume }
    let value = element == 0 ? volumes.max() ?? 1 : volumes[element - 1]
    return min(max(value, 0), 1)
  }

  /// The balance of the channels stays when the whole side is set.
  func setScalar(_ value: Float) throws(AudioError) {
    guard (0...1).contains(value) else { throw refusal(device.uid, "volume \(value)", "0 to 1") }
    guard var volumes = device.details.volumes else {
      processLevel.volume = value
      return
    }
    if element > 0 {
      volumes[element - 1] = value
    } else {
      let loudest = volumes.max() ?? 0
      volumes = volumes.map { loudest > 0 ? value * $0 / loudest : value }
    }
    try device.change(.volumes(volumes), "the volume")
  }

  /// Nil when there is no switch: a server only mutes a whole side.
  var isMuted: Bool? {
    guard element == 0 else { return nil }
    return isServerVolume || device.details.isMuted != nil
      ? device.details.isMuted : processLevel.isMuted
  }

  /// Mutes or unmutes the side.
  func setMuted(_ mutes: Bool) throws(AudioError) {
    guard device.details.isMuted != nil else {
      processLevel.isMuted = mutes
      return
    }
    try device.change(.mute(mutes), "the mute switch")
  }

  /// Decibels, -96 to 0; the lowest is silence.
  static let range = DeviceLevel.range

  /// A volume of 0 to 1 in decibels.
  func decibels(_ scalar: Float) -> Float {
    guard isServerVolume else { return DeviceLevel.decibels(scalar) }
    let floor = Self.range.lowerBound
    return scalar > 0
      ? min(max(Float(60 * Math.decimalLogarithm(Double(scalar))), floor), 0) : floor
  }

  /// Decibels as a volume of 0 to 1.
  func scalar(decibels: Float) -> Float {
    guard isServerVolume else { return DeviceLevel.scalar(decibels) }
    return DeviceLevel.scalar(decibels / 3)
      * (decibels > Self.range.lowerBound ? 1 : 0)
  }
}
