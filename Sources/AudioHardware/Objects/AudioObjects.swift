// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioDevices
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// All devices as audio objects with properties, which programs use to list devices.
///
/// An object is the system, a device, a stream of one of its sides, a control of it, or the plug-in
/// that creates aggregate devices. For control threads only.
public enum AudioObjects {
  /// The object behind a number.
  enum Object {
    case system
    case device(Device)
    case side(Side)
    case control(DeviceControl)
    case plugIn
    case subDevice(SubDevice)
  }

  /// Whether an object has a property.
  public static func has(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) -> Bool {
    (try? value(id, address)) != nil
  }

  /// Whether a property can be written.
  public static func isSettable(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress
  ) throws(AudioError) -> Bool {
    _ = try value(id, address)
    return switch try object(id) {
    case .system: row(systemProperties, address)?.isWritable(System()) ?? false
    case .device(let device): row(deviceProperties, address)?.isWritable(device) ?? false
    case .side(let side): row(sideProperties, address)?.isWritable(side) ?? false
    case .control(let control): row(controlProperties, address)?.isWritable(control) ?? false
    case .plugIn: row(plugInProperties, address)?.isWritable(PlugIn()) ?? false
    case .subDevice(let part): row(subDeviceProperties, address)?.isWritable(part) ?? false
    }
  }

  /// The value of a property. `memory` is the caller's memory, for values with an input part.
  static func value(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress,
    _ qualifier: UnsafeRawBufferPointer = .init(start: nil, count: 0),
    _ memory: UnsafeMutableRawBufferPointer = .init(start: nil, count: 0)
  ) throws(AudioError) -> AudioObjectValue {
    let answer =
      switch try object(id) {
      case .system:
        try row(systemProperties, address)?.read(
          .init(object: System(), address: address, qualifier: qualifier, memory: memory))
      case .device(let device):
        try row(deviceProperties, address)?.read(
          .init(object: device, address: address, qualifier: qualifier, memory: memory))
      case .side(let side):
        try row(sideProperties, address)?.read(
          .init(object: side, address: address, qualifier: qualifier, memory: memory))
      case .control(let control):
        try row(controlProperties, address)?.read(
          .init(object: control, address: address, qualifier: qualifier, memory: memory))
      case .plugIn:
        try row(plugInProperties, address)?.read(
          .init(object: PlugIn(), address: address, qualifier: qualifier, memory: memory))
      case .subDevice(let part):
        try row(subDeviceProperties, address)?.read(
          .init(object: part, address: address, qualifier: qualifier, memory: memory))
      }
    guard let answer else { throw unknown(id, address) }
    return answer
  }

  /// The properties that an object may have. Nil if there is no such object.
  static func selectors(of id: AudioObjectID) -> [AudioObjectPropertySelector]? {
    guard let object = try? object(id) else { return nil }
    return switch object {
    case .system: systemProperties.map(\.selector)
    case .device: deviceProperties.map(\.selector)
    case .side: sideProperties.map(\.selector)
    case .control: controlProperties.map(\.selector)
    case .plugIn: plugInProperties.map(\.selector)
    case .subDevice: subDeviceProperties.map(\.selector)
    }
  }

  /// A value that changes when the listeners of a property must be notified. Nil if there is no
  /// such property.
  static func signature(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) -> String? {
    if case .device(let device)? = try? object(id),
      let signature = row(deviceProperties, address)?.signature
    {
      return signature(device)
    }
    return (try? value(id, address)).map { "\($0)" }
  }

  private static func row<Object>(
    _ rows: [AudioObjectProperty<Object>], _ address: AudioObjectPropertyAddress
  ) -> AudioObjectProperty<Object>? { rows.first { $0.selector == address.mSelector } }

  private static func unknown(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress)
    -> AudioError
  {
    let selector = FourCharacterCode(address.mSelector), scope = FourCharacterCode(address.mScope)
    return AudioError(status: kAudioHardwareUnknownPropertyError).because(
      "audio object \(id) has no property '\(selector)' in scope '\(scope)', element "
        + "\(address.mElement)")
  }

  /// The size of a property's value in bytes.
  public static func size(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ qualifier: UnsafeRawBufferPointer
  ) throws(AudioError) -> Int { try value(id, address, qualifier).byteCount }

  /// Reads a property into memory of `size` bytes and returns how many were written.
  public static func read(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ qualifier: UnsafeRawBufferPointer,
    into data: UnsafeMutableRawPointer, size: Int
  ) throws(AudioError) -> Int {
    let memory = UnsafeMutableRawBufferPointer(start: data, count: size)
    return try value(id, address, qualifier, memory).write(to: data, size: size)
  }

  /// Writes a property.
  public static func write(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ data: UnsafeRawBufferPointer
  ) throws(AudioError) {
    guard try isSettable(id, address) else {
      throw AudioError(status: kAudioHardwareUnsupportedOperationError).because(
        "'\(FourCharacterCode(address.mSelector))' of audio object \(id) can only be read")
    }
    switch try object(id) {
    case .system: try row(systemProperties, address)?.write?(System(), address, data)
    case .device(let device): try row(deviceProperties, address)?.write?(device, address, data)
    case .side(let side): try row(sideProperties, address)?.write?(side, address, data)
    case .control(let control): try row(controlProperties, address)?.write?(control, address, data)
    case .plugIn: try row(plugInProperties, address)?.write?(PlugIn(), address, data)
    case .subDevice(let part): try row(subDeviceProperties, address)?.write?(part, address, data)
    }
    DeviceCache.invalidate()
    DeviceChanges.notify(.properties)
  }

  // MARK: Numbers

  private static let sideFlag: AudioObjectID = 1 << 30
  private static let controlFlag: AudioObjectID = 1 << 29
  private static let partFlag: AudioObjectID = 1 << 28
  /// The plug-in that creates aggregate devices.
  static let plugInNumber: AudioObjectID = 2

  /// The number of a stream of one direction of a device.
  static func id(of device: Device, isInput: Bool, stream: Int = 0) -> AudioObjectID {
    sideFlag | DeviceList.id(of: device) << 7 | UInt32(clamping: stream) << 1 | (isInput ? 1 : 0)
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
    if id & sideFlag != 0 { return (id & ~sideFlag) >> 7 }
    if id & controlFlag == 0, id & partFlag != 0 { return (id & ~partFlag) >> 6 }
    return id & controlFlag != 0 ? (id & ~controlFlag) >> 10 : id
  }

  /// The back end of an object. Nil if it belongs to no device.
  static func backend(of id: AudioObjectID) -> String? {
    DeviceList.uid(of: deviceNumber(id)).map { DeviceName($0).backend }
  }

  private static func object(_ id: AudioObjectID) throws(AudioError) -> Object {
    if id == AudioObjectID(clamping: kAudioObjectSystemObject) { return .system }
    if id == plugInNumber { return .plugIn }
    let device = try device(deviceNumber(id), for: id)
    if id & sideFlag != 0 {
      let side = Side(device: device, isInput: id & 1 == 1, index: Int(id >> 1 & 63))
      if device.streams(isInput: side.isInput).indices.contains(side.index) { return .side(side) }
    } else if id & controlFlag != 0 {
      let control = DeviceControl(
        device: device, isInput: id & 4 != 0, element: Int(id >> 3 & 127),
        kind: DeviceControl.Kind(rawValue: Int(id & 3)) ?? .volume)
      if control.exists { return .control(control) }
    } else if id & partFlag != 0 {
      if let part = SubDevice(device, index: Int(id & 63)) { return .subDevice(part) }
    } else {
      return .device(device)
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
