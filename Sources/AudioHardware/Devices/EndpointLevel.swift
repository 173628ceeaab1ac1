// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// The volume and the mute switch of one endpoint of a device, or of one channel of it.
///
/// If the server has a volume, that one is used. It applies to all programs and mixers show it: 0
/// to 1, the cube root of the amplitude. Otherwise it is a factor for the output of this process to
/// the device.
struct EndpointLevel {
  /// The device of the endpoint.
  let device: Device
  /// 0 for the whole endpoint, otherwise the number of a channel.
  let element: Int

  /// Nil if the endpoint has no volume for that element.
  init?(_ device: Device, isInput: Bool, element: Int) {
    let device = device.endpoint(isInput: isInput)
    let count = isInput ? device.inputChannelCount : device.outputChannelCount
    guard count > 0 else { return nil }
    if let volumes = device.details.volumes {
      guard element <= volumes.count else { return nil }
    } else {
      guard !isInput, element == 0 else { return nil }
    }
    (self.device, self.element) = (device, element)
  }

  /// Nil if the address is not that of a volume.
  init?(_ device: Device, _ address: PropertyAddress) {
    let isInput = address.scope == kAudioObjectPropertyScopeInput
    guard isInput || address.scope == kAudioObjectPropertyScopeOutput else { return nil }
    self.init(device, isInput: isInput, element: Int(address.element))
  }

  /// Whether the server has the volume.
  private var isServerVolume: Bool { device.details.volumes != nil }
  private var processLevel: DeviceLevel { DeviceLevel.of(device.outputUID) }

  /// The volume, 0 to 1.
  var scalar: Float {
    guard let volumes = device.details.volumes else { return processLevel.volume }
    let value = element == 0 ? volumes.max() ?? 1 : volumes[element - 1]
    return min(max(value, 0), 1)
  }

  /// Sets the volume. For the whole endpoint the channels keep their balance.
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

  /// Whether it is muted. Nil if there is no switch, because a server only mutes a whole endpoint.
  var isMuted: Bool? {
    guard element == 0 else { return nil }
    return isServerVolume || device.details.isMuted != nil
      ? device.details.isMuted : processLevel.isMuted
  }

  /// Mutes or unmutes the endpoint.
  func setMuted(_ mutes: Bool) throws(AudioError) {
    guard device.details.isMuted != nil else {
      processLevel.isMuted = mutes
      return
    }
    try device.change(.mute(mutes), "the mute switch")
  }

  /// The range in decibels, -96 to 0. The lowest value is silence.
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
