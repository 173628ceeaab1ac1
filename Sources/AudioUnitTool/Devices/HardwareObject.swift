// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// An object of the hardware API: a device, or the system.
struct HardwareObject {
  let id: AudioObjectID

  /// The system object, which always exists.
  static let system = HardwareObject(id: AudioObjectID(clamping: kAudioObjectSystemObject))

  init(id: AudioObjectID) { self.id = id }

  /// Finds a device by its UID, in the form of `au devices` or of kAudioDevicePropertyDeviceUID.
  init(_ uid: String) throws {
    var address = Self.address(kAudioHardwarePropertyTranslateUIDToDevice)
    var text: Unmanaged<CFString>? = .passRetained(uid as CFString)
    defer { text?.release() }
    var (found, size) = (AudioObjectID(kAudioObjectUnknown), UInt32(4))
    try Failure.check(
      AudioObjectGetPropertyData(
        Self.system.id, &address, UInt32(clamping: MemoryLayout<CFString>.size), &text, &size,
        &found), uid)
    guard found != kAudioObjectUnknown else {
      throw Failure("there is no device \"\(uid)\"; `au devices` lists all devices")
    }
    id = found
  }

  /// Every device.
  static var all: [HardwareObject] {
    system.list(kAudioHardwarePropertyDevices, AudioObjectID(0)).map { .init(id: $0) }
  }

  /// The UID of a device in the form of `au devices`: for an aggregate device, with the name of its
  /// back end.
  var uid: String? {
    let isAggregate =
      value(kAudioObjectPropertyClass, AudioClassID(0)) == kAudioAggregateDeviceClassID
    return text(kAudioDevicePropertyDeviceUID).map { isAggregate ? "aggregate:\($0)" : $0 }
  }

  private static func address(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal,
    _ element: AudioObjectPropertyElement = kAudioObjectPropertyElementMain
  ) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: element)
  }

  /// The elements of an array property; empty if the object does not have it.
  func list<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ zero: Value,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal,
    _ element: AudioObjectPropertyElement = kAudioObjectPropertyElementMain
  ) -> [Value] {
    var address = Self.address(selector, scope, element)
    var size: UInt32 = 0
    guard AudioObjectGetPropertyDataSize(id, &address, 0, nil, &size) == noErr, size > 0 else {
      return []
    }
    var values = [Value](repeating: zero, count: Int(size) / MemoryLayout<Value>.stride)
    guard AudioObjectGetPropertyData(id, &address, 0, nil, &size, &values) == noErr else {
      return []
    }
    return Array(values.prefix(Int(size) / MemoryLayout<Value>.stride))
  }

  /// The value of a property; nil if the object does not have it.
  func value<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ zero: Value,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal,
    _ element: AudioObjectPropertyElement = kAudioObjectPropertyElementMain
  ) -> Value? { list(selector, zero, scope, element).first }

  /// The value of a CFString property.
  func text(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal,
    _ element: AudioObjectPropertyElement = kAudioObjectPropertyElementMain
  ) -> String? {
    var address = Self.address(selector, scope, element)
    var text: Unmanaged<CFString>?
    var size = UInt32(clamping: MemoryLayout<CFString>.size)
    guard AudioObjectGetPropertyData(id, &address, 0, nil, &size, &text) == noErr else {
      return nil
    }
    return text.map { String(describing: $0.takeRetainedValue()) }
  }

  /// The name of a data source on one endpoint.
  func sourceName(_ source: UInt32, _ scope: AudioObjectPropertyScope) -> String? {
    var address = Self.address(kAudioDevicePropertyDataSourceNameForIDCFString, scope)
    var source = source
    var name: Unmanaged<CFString>?
    let status = withUnsafeMutablePointer(to: &source) { source in
      withUnsafeMutablePointer(to: &name) { name in
        var translation = AudioValueTranslation(
          mInputData: source, mInputDataSize: 4, mOutputData: name,
          mOutputDataSize: UInt32(clamping: MemoryLayout<CFString>.size))
        var size = UInt32(clamping: MemoryLayout<AudioValueTranslation>.size)
        return AudioObjectGetPropertyData(id, &address, 0, nil, &size, &translation)
      }
    }
    guard status == noErr else { return nil }
    return name.map { String(describing: $0.takeRetainedValue()) }
  }

  /// Sets a property in the global scope.
  func set<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ value: Value, _ step: String
  ) throws { try set(selector, value, kAudioObjectPropertyScopeGlobal, step) }

  /// Sets a property of one endpoint.
  func set<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, _ value: Value, _ scope: AudioObjectPropertyScope,
    _ step: String
  ) throws {
    var address = Self.address(selector, scope)
    var value = value
    try Failure.check(
      AudioObjectSetPropertyData(
        id, &address, 0, nil, UInt32(clamping: MemoryLayout<Value>.size), &value), step)
  }
}
