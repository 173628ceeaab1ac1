// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// The properties of the system object, one row each.
extension AudioObjects {
  /// The only system object.
  struct System: AudioObject {
    static let properties = PropertyTable(.audioObjects, AudioObjects.systemProperties)
  }

  static let systemProperties: [PropertyRow<System>] =
    [
      .init(kAudioObjectPropertyBaseClass, { _ in .numbers([UInt32(kAudioObjectClassID)]) }),
      .init(kAudioObjectPropertyClass, { _ in .numbers([UInt32(kAudioSystemObjectClassID)]) }),
      .init(kAudioObjectPropertyOwner, { _ in .numbers([kAudioObjectUnknown]) }),
      .init(
        kAudioObjectPropertyOwnedObjects,
        { query in
          .numbers(
            isRequested(kAudioDeviceClassID, query.qualifier)
              ? DeviceCache.all().map(DeviceList.id) : [])
        }),
      .init(kAudioObjectPropertyName, { _ in .string("System") }),
      .init(
        kAudioHardwarePropertyDevices, { _ in .numbers(DeviceCache.all().map(DeviceList.id)) }),
      .init(
        kAudioHardwarePropertyDefaultInputDevice, { _ in .numbers([defaultDevice(isInput: true)]) },
        write: { (_, data) throws(AudioError) in
          try DefaultDevice.set(try data.value(), isInput: true)
        }),
      .init(
        kAudioHardwarePropertyDefaultOutputDevice,
        { _ in .numbers([defaultDevice(isInput: false)]) },
        write: { (_, data) throws(AudioError) in
          try DefaultDevice.set(try data.value(), isInput: false)
        }),
      .init(
        kAudioHardwarePropertyDefaultSystemOutputDevice,
        { _ in .numbers([defaultDevice(isInput: false)]) }
      ),
      .init(
        kAudioHardwarePropertyTranslateUIDToDevice,
        { query throws(AudioError) in
          // Without a qualifier, only the existence and the size of the property are queried.
          guard query.qualifier.count > 0 || query.memory.count > 0 else {
            return .numbers([kAudioObjectUnknown])
          }
          guard query.qualifier.count == MemoryLayout<UnsafeRawPointer>.size,
            let id = device(named: query.qualifier.loadUnaligned(as: UInt.self))
          else {
            throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
              "the qualifier is not a CFString")
          }
          return .numbers([id])
        }),
      .init(
        kAudioHardwarePropertyDeviceForUID,
        { query throws(AudioError) in
          try translate(query.memory, device(named:))
        }),
      .init(kAudioHardwarePropertyServiceRestarted, { _ in .numbers([ServerPresence.restarts]) }),
      .init(
        kAudioHardwarePropertyRunLoop, { _ in .null },
        write: { (_, data) throws(AudioError) in
          guard try data.value(UInt.self) == 0 else {
            throw refusal(
              "the system", "a run loop", "NULL: listeners are called on a thread of the library")
          }
        }),
      .init(kAudioHardwarePropertyProcessIsMain, { _ in .numbers([1]) }),
      .init(kAudioHardwarePropertyIsInitingOrExiting, { _ in .numbers([0]) }),
      .init(kAudioHardwarePropertyUserSessionIsActiveOrHeadless, { _ in .numbers([1]) }),
      .init(
        kAudioHardwarePropertyProcessIsAudible, { _ in .numbers([DeviceLevel.isAudible ? 1 : 0]) },
        write: { (_, data) throws(AudioError) in
          DeviceLevel.isAudible = try data.value(UInt32.self) != 0
        }),
      .init(kAudioHardwarePropertyHogModeIsAllowed, { _ in .numbers([1]) }),
      .init(kAudioHardwarePropertySleepingIsAllowed, { _ in .numbers([1]) }),
      .init(kAudioHardwarePropertyUnloadingIsAllowed, { _ in .numbers([1]) }),
      .init(kAudioHardwarePropertyPowerHint, { _ in .numbers([0]) }),
      .init(
        kAudioHardwarePropertyTranslatePIDToProcessObject, { _ in .numbers([kAudioObjectUnknown]) }
      ),
      .init(kAudioHardwarePropertyMixStereoToMono, { _ in .numbers([0]) }),
      .init(
        kAudioHardwarePropertyPlugInForBundleID,
        { query throws(AudioError) in try translate(query.memory, plugIn(named:)) }),
      .init(kAudioHardwarePropertyPlugInList, { _ in .numbers([plugInNumber]) }),
      .init(
        kAudioHardwarePropertyTranslateBundleIDToPlugIn,
        { query throws(AudioError) in
          guard query.qualifier.count == MemoryLayout<UnsafeRawPointer>.size else {
            return .numbers([kAudioObjectUnknown])
          }
          return .numbers([
            plugIn(named: query.qualifier.loadUnaligned(as: UInt.self)) ?? kAudioObjectUnknown
          ])
        }),
    ] + otherKinds

  /// Kinds of objects that do not exist on Linux, although programs query all of them.
  private static let otherKinds: [PropertyRow<System>] =
    [
      kAudioHardwarePropertyTransportManagerList,
      kAudioHardwarePropertyBoxList, kAudioHardwarePropertyClockDeviceList,
    ].map { .init($0, { _ in .numbers([]) }) }
    + [
      kAudioHardwarePropertyTranslateBundleIDToTransportManager,
      kAudioHardwarePropertyTranslateUIDToBox, kAudioHardwarePropertyTranslateUIDToClockDevice,
    ].map { .init($0, { _ in .numbers([kAudioObjectUnknown]) }) }

  /// The number of the default device of a direction.
  static func defaultDevice(isInput: Bool) -> AudioObjectID {
    guard let device = try? DeviceList.device(nil, input: isInput, output: !isInput),
      (isInput ? device.inputChannelCount : device.outputChannelCount) > 0
    else { return kAudioObjectUnknown }
    return DeviceList.id(of: device)
  }

  /// The device whose UID is in a CFString. Nil if the object is not a string.
  private static func device(named object: UInt) -> AudioObjectID? {
    guard let object = UnsafeRawPointer(bitPattern: object),
      let uid = Bridge.current.string(object)
    else { return nil }
    let found =
      DeviceCache.devices(of: DeviceName(uid).backend).first { $0.uid == uid }
      ?? DeviceCache.devices(of: AggregateBackend.name).first { $0.shownUID == uid }
    return found.map(DeviceList.id) ?? kAudioObjectUnknown
  }

  /// The plug-in whose bundle a CFString names.
  private static func plugIn(named object: UInt) -> AudioObjectID? {
    guard let object = UnsafeRawPointer(bitPattern: object),
      let name = Bridge.current.string(object)
    else { return nil }
    return name == plugInBundleID ? plugInNumber : kAudioObjectUnknown
  }

  /// Fills the output of an AudioValueTranslation from CFString to AudioObjectID in the caller's memory.
  private static func translate(
    _ memory: UnsafeMutableRawBufferPointer, _ id: (UInt) -> AudioObjectID?
  ) throws(AudioError) -> PropertyValue {
    guard memory.count >= MemoryLayout<AudioValueTranslation>.size else { return .translation(nil) }
    let translation = memory.loadUnaligned(as: AudioValueTranslation.self)
    let sizes = [translation.mInputDataSize, translation.mOutputDataSize]
    guard sizes == [8, 4], !isNull(translation.mInputData), !isNull(translation.mOutputData),
      let id = id(UnsafeRawPointer(translation.mInputData).loadUnaligned(as: UInt.self))
    else {
      throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
        "the translation is not one from a CFString (8 bytes) to an AudioObjectID (4 bytes)")
    }
    translation.mOutputData.storeBytes(of: id, as: AudioObjectID.self)
    return .translation(translation)
  }

  /// Whether objects of a class are requested. The qualifier lists classes; an empty one requests
  /// all.
  static func isRequested(_ classID: AudioClassID, _ qualifier: UnsafeRawBufferPointer) -> Bool {
    let classes = stride(from: 0, to: qualifier.count / 4 * 4, by: 4).map {
      qualifier.loadUnaligned(fromByteOffset: $0, as: AudioClassID.self)
    }
    return classes.isEmpty
      || classes.contains {
        [classID, kAudioObjectClassID, kAudioObjectClassIDWildcard].contains($0)
      }
  }
}
