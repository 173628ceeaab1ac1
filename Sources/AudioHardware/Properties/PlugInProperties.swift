// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox

// The properties of the plug-in that creates aggregate devices, one row each.
extension AudioObjects {
  /// The only plug-in.
  struct PlugIn: AudioObject {
    static let properties = PropertyTable(.audioObjects, AudioObjects.plugInProperties)
  }

  /// The bundle identifier that programs use.
  static let plugInBundleID = "com.apple.audio.CoreAudio"

  static let plugInProperties: [PropertyRow<PlugIn>] = [
    .init(kAudioObjectPropertyBaseClass, { _ in .numbers([kAudioObjectClassID]) }),
    .init(kAudioObjectPropertyClass, { _ in .numbers([kAudioPlugInClassID]) }),
    .init(
      kAudioObjectPropertyOwner,
      { _ in .numbers([AudioObjectID(clamping: kAudioObjectSystemObject)]) }),
    .init(
      kAudioObjectPropertyOwnedObjects, { _ in .numbers(DeviceCache.all().map(DeviceList.id)) }),
    .init(kAudioObjectPropertyName, { _ in .string("Core Audio") }),
    .init(kAudioPlugInPropertyBundleID, { _ in .string(plugInBundleID) }),
    .init(kAudioPlugInPropertyDeviceList, { _ in .numbers(DeviceCache.all().map(DeviceList.id)) }),
    .init(
      kAudioPlugInPropertyTranslateUIDToDevice,
      { query throws(AudioError) in
        try System.properties.row(kAudioHardwarePropertyTranslateUIDToDevice)?.read?(
          query.asked(of: System()))
      }),
    .init(
      kAudioPlugInCreateAggregateDevice,
      { query throws(AudioError) in
        // Only the size is queried.
        guard query.memory.count >= 4 else { return .numbers([kAudioObjectUnknown]) }
        guard query.qualifier.count == MemoryLayout<UnsafeRawPointer>.size,
          let description = UnsafeRawPointer(
            bitPattern: query.qualifier.loadUnaligned(as: UInt.self))
        else {
          throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
            "the qualifier is not a CFDictionary")
        }
        return .numbers([try Aggregates.create(description)])
      }),
    .init(
      kAudioPlugInDestroyAggregateDevice,
      { query throws(AudioError) in
        guard query.memory.count >= 4 else { return .numbers([kAudioObjectUnknown]) }
        let id = query.memory.loadUnaligned(as: AudioObjectID.self)
        try Aggregates.destroy(id)
        return .numbers([id])
      }),
    .init(kAudioPlugInPropertyTranslateUIDToBox, { _ in .numbers([kAudioObjectUnknown]) }),
    .init(kAudioPlugInPropertyTranslateUIDToClockDevice, { _ in .numbers([kAudioObjectUnknown]) }),
    .init(kAudioPlugInPropertyBoxList, { _ in .numbers([]) }),
    .init(kAudioPlugInPropertyClockDeviceList, { _ in .numbers([]) }),
  ]
}
