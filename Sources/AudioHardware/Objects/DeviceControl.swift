// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

/// A control of a device (a volume, a mute switch or the choice of a data source) as a separate
/// object. It reads and writes the same values as the properties of the device.
struct DeviceControl: AudioObject {
  static let properties = PropertyTable(.audioObjects, AudioObjects.controlProperties)

  /// What it controls.
  enum Kind: Int, Sendable, CaseIterable { case volume, mute, source }

  let device: Device
  let isInput: Bool
  /// 0 for the whole endpoint, otherwise the number of a channel.
  let element: Int
  let kind: Kind

  var scope: AudioObjectPropertyScope {
    isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput
  }

  var classID: AudioClassID {
    switch kind {
    case .volume: kAudioVolumeControlClassID
    case .mute: kAudioMuteControlClassID
    case .source: kAudioDataSourceControlClassID
    }
  }

  var baseClassID: AudioClassID {
    switch kind {
    case .volume: kAudioLevelControlClassID
    case .mute: kAudioBooleanControlClassID
    case .source: kAudioSelectorControlClassID
    }
  }

  /// Whether the device has this control.
  var exists: Bool {
    let selector =
      switch kind {
      case .volume: kAudioDevicePropertyVolumeScalar
      case .mute: kAudioDevicePropertyMute
      case .source: kAudioDevicePropertyDataSource
      }
    return (try? value(selector)) != nil
  }

  /// All controls of a device.
  static func all(of device: Device) -> [DeviceControl] {
    [false, true].flatMap { isInput in
      let count = isInput ? device.inputChannelCount : device.outputChannelCount
      return count == 0
        ? []
        : (0...min(count, 127)).flatMap { element in
          Kind.allCases.filter { $0 != .source || element == 0 }.map {
            DeviceControl(device: device, isInput: isInput, element: element, kind: $0)
          }
        }
    }.filter(\.exists)
  }

  /// A property of the device at the control's scope and element.
  func value(
    _ selector: AudioObjectPropertySelector,
    _ memory: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)
  ) throws(AudioError) -> PropertyValue? {
    try Device.properties.row(selector)?.read?(
      PropertyQuery(device, address(selector), .audioObjects, memory: memory))
  }

  func write(_ selector: AudioObjectPropertySelector, _ data: PropertyData)
    throws(AudioError)
  {
    try Device.properties.row(selector)?.write?(device, address(selector), data)
  }

  private func address(_ selector: AudioObjectPropertySelector) -> PropertyAddress {
    PropertyAddress(selector, scope, UInt32(clamping: element))
  }
}
