// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioDevices
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// All devices as audio objects with properties, which programs use to list devices.
///
/// An object is the system, a device, a stream of one of its endpoints, a control of it, or the
/// plug-in that creates aggregate devices. For control threads only.
public enum AudioObjects {
  /// Whether an object has a property.
  public static func has(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) -> Bool {
    (try? value(id, address)) != nil
  }

  /// Whether a property can be written.
  public static func isSettable(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress
  ) throws(AudioError) -> Bool {
    try isSettable(try object(id), id, PropertyAddress(address))
  }

  private static func isSettable<Object: AudioObject>(
    _ object: Object, _ id: AudioObjectID, _ address: PropertyAddress
  ) throws(AudioError) -> Bool {
    _ = try value(of: object, id, address)
    return try Object.properties.row(address, of: object).isWritable(object, address)
  }

  /// The value of a property. `memory` is the caller's memory, for values with an input part.
  static func value(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress,
    _ qualifier: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    _ memory: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)
  ) throws(AudioError) -> PropertyValue {
    try value(of: try object(id), id, PropertyAddress(address), qualifier, memory)
  }

  private static func value<Object: AudioObject>(
    of object: Object, _ id: AudioObjectID, _ address: PropertyAddress,
    _ qualifier: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    _ memory: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)
  ) throws(AudioError) -> PropertyValue {
    do throws(AudioError) {
      return try Object.properties.value(
        address, of: object, qualifier: qualifier, memory: memory)
    } catch {
      throw error.status == kAudioHardwareUnknownPropertyError
        ? error.of("audio object \(id)") : error
    }
  }

  /// The properties that an object may have.
  static func selectors(of id: AudioObjectID) throws(AudioError) -> [AudioObjectPropertySelector] {
    func all<Object: AudioObject>(_: Object) -> [AudioObjectPropertySelector] {
      Object.properties.rows.map(\.id)
    }
    return all(try object(id))
  }

  /// A value that changes when the listeners of a property must be notified. Nil if there is no
  /// such property.
  static func signature(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) -> String? {
    func text<Object: AudioObject>(_ object: Object) -> String? {
      if case .comparing(let text)? = Object.properties.row(address.mSelector)?.notification {
        return text(object)
      }
      return (try? value(of: object, id, PropertyAddress(address))).map { "\($0)" }
    }
    guard let object = try? object(id) else { return nil }
    return text(object)
  }

  /// The size of a property's value in bytes.
  public static func size(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ qualifier: UnsafeRawBufferPointer
  ) throws(AudioError) -> Int { try value(id, address, qualifier).size }

  /// Reads a property into memory of `size` bytes and returns how many were written.
  public static func read(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ qualifier: UnsafeRawBufferPointer,
    into data: UnsafeMutableRawPointer, size: Int
  ) throws(AudioError) -> Int {
    let memory = UnsafeMutableRawBufferPointer(start: data, count: size)
    return Int(
      try PropertyFamily.audioObjects.write(
        try value(id, address, qualifier, memory), PropertyAddress(address), to: data, room: size))
  }

  /// Writes a property.
  public static func write(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ data: UnsafeRawBufferPointer
  ) throws(AudioError) {
    func write<Object: AudioObject>(_ object: Object) throws(AudioError) {
      let address = PropertyAddress(address)
      guard try isSettable(object, id, address) else {
        throw Object.properties.readOnly(address).of("audio object \(id)")
      }
      try Object.properties.write(address, of: object, data)
    }
    try write(try object(id))
    DeviceCache.invalidate()
    DeviceChanges.notify(.properties)
  }

  // MARK: Numbers

  private static let streamFlag: AudioObjectID = 1 << 30
  private static let controlFlag: AudioObjectID = 1 << 29
  private static let partFlag: AudioObjectID = 1 << 28
  /// The plug-in that creates aggregate devices.
  static let plugInNumber: AudioObjectID = 2

  /// The number of a stream of one endpoint of a device.
  static func id(of device: Device, isInput: Bool, stream: Int = 0) -> AudioObjectID {
    streamFlag | DeviceList.id(of: device) << 7 | UInt32(clamping: stream) << 1 | (isInput ? 1 : 0)
  }

  /// The number of a control.
  static func id(of control: DeviceControl) -> AudioObjectID {
    controlFlag | DeviceList.id(of: control.device) << 10 | UInt32(clamping: control.element & 127)
      << 3
      | (control.isInput ? 4 : 0) | UInt32(clamping: control.kind.rawValue)
  }

  /// The number of a part of an aggregate device.
  static func id(ofPart index: Int, of device: Device) -> AudioObjectID {
    partFlag | DeviceList.id(of: device) << 6 | UInt32(clamping: index)
  }

  /// The number of the device that an object is or belongs to.
  private static func deviceNumber(_ id: AudioObjectID) -> UInt32 {
    if id & streamFlag != 0 { return (id & ~streamFlag) >> 7 }
    if id & controlFlag == 0, id & partFlag != 0 { return (id & ~partFlag) >> 6 }
    return id & controlFlag != 0 ? (id & ~controlFlag) >> 10 : id
  }

  /// The back end of an object. Nil if it belongs to no device.
  static func backend(of id: AudioObjectID) -> String? {
    DeviceList.uid(of: deviceNumber(id)).map { DeviceName($0).backend }
  }

  private static func object(_ id: AudioObjectID) throws(AudioError) -> any AudioObject {
    if id == AudioObjectID(clamping: kAudioObjectSystemObject) { return System() }
    if id == plugInNumber { return PlugIn() }
    let device = try device(deviceNumber(id), for: id)
    if id & streamFlag != 0 {
      let stream = StreamObject(device: device, isInput: id & 1 == 1, index: Int(id >> 1 & 63))
      if device.streams(isInput: stream.isInput).indices.contains(stream.index) { return stream }
    } else if id & controlFlag != 0 {
      let control = DeviceControl(
        device: device, isInput: id & 4 != 0, element: Int(id >> 3 & 127),
        kind: DeviceControl.Kind(rawValue: Int(id & 3)) ?? .volume)
      if control.exists { return control }
    } else if id & partFlag != 0 {
      if let part = SubDevice(device, index: Int(id & 63)) { return part }
    } else {
      return device
    }
    throw AudioError(status: kAudioHardwareBadObjectError).because(
      "device \(device.uid) has no object \(id)")
  }

  /// The device with a number.
  static func device(_ number: AudioObjectID, for id: AudioObjectID? = nil) throws(AudioError)
    -> Device
  {
    try device(number, for: id, in: .current())
  }

  /// As above, in another environment.
  static func device(
    _ number: AudioObjectID, for id: AudioObjectID? = nil, in environment: DeviceEnvironment
  ) throws(AudioError) -> Device {
    _ = AggregateBackend.registered
    // Only the device's own back end is queried, because another server may hang.
    let devices = (backend(of: number).map { [$0] } ?? Backends.names).flatMap {
      DeviceCache.devices(of: $0, in: environment)
    }
    if let device = devices.first(where: { DeviceList.id(of: $0) == number })
      ?? pair(number, environment)
    {
      return device
    }
    throw AudioError(status: kAudioHardwareBadObjectError).because(
      "there is no audio object \(id ?? number); the devices are "
        + devices.map { "\(DeviceList.id(of: $0)) \($0.uid)" }.joined(separator: ", "))
  }

  /// The pair of devices with this number. No back end lists it.
  private static func pair(_ number: UInt32, _ environment: DeviceEnvironment) -> Device? {
    guard DeviceList.uid(of: number)?.contains("+") == true else { return nil }
    return try? DeviceList.device(number, input: true, output: true, in: environment)
  }
}
