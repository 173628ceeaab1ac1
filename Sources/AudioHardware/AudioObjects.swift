// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import AudioDevices
import CRealTime
import Synchronization
public import CAudioToolbox

/// The devices that there are, as objects with properties: what programs list devices by.
///
/// An object is the system, a device, or one direction of a device (a "stream" in this interface). All
/// calls are for control threads.
public enum AudioObjects {
  /// Which object a number stands for.
  enum Object {
    case system
    case device(Device)
    case side(Device, isInput: Bool)
  }

  /// A question: which property, and with what to ask for it.
  struct Question {
    var address: AudioObjectPropertyAddress
    /// What `inQualifierData` has; empty when there is none.
    var qualifier: UnsafeRawBufferPointer
  }

  /// Whether an object has a property.
  public static func has(_ id: AudioObjectID, _ address: AudioObjectPropertyAddress) -> Bool {
    (try? value(id, address, UnsafeRawBufferPointer(start: nil, count: 0))) != nil
      || address.mSelector == kAudioHardwarePropertyTranslateUIDToDevice
        && id == AudioObjectID(kAudioObjectSystemObject)
  }

  /// Whether a property can be written.
  public static func isSettable(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress
  ) throws(AudioError) -> Bool {
    _ = try value(id, address, UnsafeRawBufferPointer(start: nil, count: 0))
    guard case .device = try object(id) else { return false }
    return address.mSelector == kAudioDevicePropertyNominalSampleRate
      || address.mSelector == kAudioDevicePropertyBufferFrameSize
  }

  /// The value of a property.
  static func value(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ qualifier: UnsafeRawBufferPointer
  ) throws(AudioError) -> AudioObjectValue {
    let question = Question(address: address, qualifier: qualifier)
    let answer: AudioObjectValue? =
      switch try object(id) {
      case .system: try systemValue(question)
      case .device(let device): try deviceValue(device, question)
      case .side(let device, let isInput): sideValue(device, isInput: isInput, question)
      }
    guard let answer else {
      let selector = FourCharacterCode(address.mSelector), scope = FourCharacterCode(address.mScope)
      throw AudioError(status: kAudioHardwareUnknownPropertyError).because(
        "audio object \(id) has no property '\(selector)' in scope '\(scope)'")
    }
    return answer
  }

  /// The size of a property's value in bytes.
  public static func size(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ qualifier: UnsafeRawBufferPointer
  ) throws(AudioError) -> Int { try value(id, address, qualifier).byteCount }

  /// Reads a property into memory of `size` bytes; answers how many were written.
  public static func read(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ qualifier: UnsafeRawBufferPointer,
    into data: UnsafeMutableRawPointer, size: Int
  ) throws(AudioError) -> Int {
    try value(id, address, qualifier).write(to: data, size: size)
  }

  /// Writes a property.
  public static func write(
    _ id: AudioObjectID, _ address: AudioObjectPropertyAddress, _ data: UnsafeRawBufferPointer
  ) throws(AudioError) {
    guard try isSettable(id, address), case .device(let device) = try object(id) else {
      throw AudioError(status: kAudioHardwareUnsupportedOperationError).because(
        "'\(FourCharacterCode(address.mSelector))' of audio object \(id) can only be read")
    }
    func number<Number>(_: Number.Type) throws(AudioError) -> Number {
      guard data.count == MemoryLayout<Number>.size else {
        throw AudioError(status: kAudioHardwareBadPropertySizeError).because(
          "\(data.count) bytes; \(MemoryLayout<Number>.size) are expected")
      }
      return data.loadUnaligned(as: Number.self)
    }
    if address.mSelector == kAudioDevicePropertyNominalSampleRate {
      let rate = try number(Float64.self)
      guard device.sampleRates.contains(rate) else {
        throw refusal(device, "\(rate) Hz", "\(device.sampleRates)")
      }
      DeviceWishes.set(device.uid) { $0.sampleRate = rate }
    } else {
      let frames = Int(try number(UInt32.self))
      guard device.cycleFramesRange.contains(frames) else {
        throw refusal(device, "\(frames) frames", "\(device.cycleFramesRange)")
      }
      DeviceWishes.set(device.uid) { $0.cycleFrames = frames }
    }
    AudioObjectListeners.shared.look()
  }

  private static func refusal(_ device: Device, _ given: String, _ expected: String) -> AudioError {
    AudioError(status: kAudioHardwareIllegalOperationError).because(
      "\(device.uid): \(given); \(expected) can be had")
  }

  // MARK: Numbers

  private static let sideFlag: AudioObjectID = 1 << 30

  /// The number of one direction of a device.
  static func id(of device: Device, isInput: Bool) -> AudioObjectID {
    sideFlag | DeviceList.id(of: device) << 1 | (isInput ? 1 : 0)
  }

  /// The number of the device that an object is or belongs to.
  private static func deviceNumber(_ id: AudioObjectID) -> UInt32 {
    id & sideFlag != 0 ? (id & ~sideFlag) >> 1 : id
  }

  /// The back end that an object belongs to; nil when it is not a device's.
  static func backend(of id: AudioObjectID) -> String? {
    DeviceList.uid(of: deviceNumber(id)).map { DeviceName($0).backend }
  }

  private static func object(_ id: AudioObjectID) throws(AudioError) -> Object {
    if id == AudioObjectID(kAudioObjectSystemObject) { return .system }
    // Only who has the device is asked: the server of another back end may hang.
    let devices = backend(of: id).map(devices(of:)) ?? all()
    let number = deviceNumber(id)
    guard let device = devices.first(where: { DeviceList.id(of: $0) == number }) else {
      throw AudioError(status: kAudioHardwareBadObjectError).because(
        "there is no audio object \(id); the devices are "
          + devices.map { "\(DeviceList.id(of: $0)) \($0.uid)" }.joined(separator: ", "))
    }
    return id & sideFlag != 0 ? .side(device, isInput: id & 1 == 1) : .device(device)
  }

  /// What a back end had a moment ago: programs ask for one property after the other, and each answer
  /// may take a server's time.
  private struct Snapshot {
    var environment: DeviceEnvironment
    var hostTime: UInt64
    var devices: [Device]
  }

  private static let snapshots = Mutex<[String: Snapshot]>([:])
  /// Nanoseconds for which one holds.
  private static let moment: UInt64 = 250_000_000

  /// Every device that can be opened now.
  static func all() -> [Device] { Backends.names.flatMap(devices(of:)) }

  /// Every device of one back end that can be opened now.
  static func devices(of backend: String) -> [Device] {
    guard let environment = try? DeviceEnvironment.current() else { return [] }
    let recent = snapshots.withLock { $0[backend] }
    if let recent, recent.environment == environment, rt_host_time() < recent.hostTime + moment {
      return recent.devices.map(DeviceWishes.applied(to:))
    }
    let devices = Backends.survey(of: backend)?.devices ?? []
    snapshots.withLock {
      $0[backend] = Snapshot(
        environment: environment, hostTime: rt_host_time(), devices: devices)
    }
    return devices.map(DeviceWishes.applied(to:))
  }

  /// Has the devices looked for anew.
  static func forget() { snapshots.withLock { $0 = [:] } }
}
