// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

// The properties of controls, one row each.
extension AudioObjects {
  private typealias Row = PropertyRow<DeviceControl>

  static let controlProperties: [PropertyRow<DeviceControl>] = [
    .init(kAudioObjectPropertyBaseClass, { .numbers([$0.owner.baseClassID]) }),
    .init(kAudioObjectPropertyClass, { .numbers([$0.owner.classID]) }),
    .init(kAudioObjectPropertyOwner, { .numbers([DeviceList.id(of: $0.owner.device)]) }),
    .init(kAudioObjectPropertyOwnedObjects, { _ in .numbers([]) }),
    .init(kAudioControlPropertyScope, { .numbers([$0.owner.scope]) }),
    .init(kAudioControlPropertyElement, { .numbers([UInt32(clamping: $0.owner.element)]) }),
    row(kAudioLevelControlPropertyScalarValue, .volume, kAudioDevicePropertyVolumeScalar),
    row(kAudioLevelControlPropertyDecibelValue, .volume, kAudioDevicePropertyVolumeDecibels),
    row(kAudioLevelControlPropertyDecibelRange, .volume, kAudioDevicePropertyVolumeRangeDecibels),
    row(
      kAudioLevelControlPropertyConvertScalarToDecibels, .volume,
      kAudioDevicePropertyVolumeScalarToDecibels),
    row(
      kAudioLevelControlPropertyConvertDecibelsToScalar, .volume,
      kAudioDevicePropertyVolumeDecibelsToScalar),
    row(kAudioBooleanControlPropertyValue, .mute, kAudioDevicePropertyMute),
    row(kAudioSelectorControlPropertyCurrentItem, .source, kAudioDevicePropertyDataSource),
    row(kAudioSelectorControlPropertyAvailableItems, .source, kAudioDevicePropertyDataSources),
    .init(
      kAudioSelectorControlPropertyItemName,
      { query in
        guard query.owner.kind == .source else { return nil }
        let item =
          query.qualifier.count == 4 ? query.qualifier.loadUnaligned(as: UInt32.self) : nil
        let sources = DataSource.all(
          of: query.owner.device, isInput: query.owner.isInput)
        return sources.first { item == nil || $0.id == item }.map { .string($0.name) }
      }),
  ]

  /// A property that the device has under another selector.
  private static func row(
    _ selector: AudioObjectPropertySelector, _ kind: DeviceControl.Kind,
    _ forward: AudioObjectPropertySelector
  ) -> Row {
    .init(
      selector,
      { (query) throws(AudioError) in
        guard query.owner.kind == kind else { return nil }
        return try query.owner.value(forward, query.memory)
      },
      write: { (control, data) throws(AudioError) in try control.write(forward, data) },
      isSettable: { _ in
        Device.properties.row(forward)?.write != nil
      })
  }
}
