// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// One unit, and the questions that it answers.
final class UnitInspector {
  let unit: AudioUnit

  init(_ component: AudioComponent) throws {
    var instance: AudioComponentInstance?
    try Failure.check(AudioComponentInstanceNew(component, &instance), "Can't make the unit")
    guard let instance else { throw Failure("Can't make the unit") }
    unit = instance
  }

  deinit { AudioComponentInstanceDispose(unit) }

  /// The value of a property of a fixed C type; nil when the unit does not give one.
  func value<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, over value: Value
  ) -> Value? {
    Self.value(of: unit, property, scope, element, over: value)
  }

  /// The same of a unit that somebody else has made.
  static func value<Value: BitwiseCopyable>(
    of unit: AudioUnit, _ property: AudioUnitPropertyID,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0,
    over value: Value
  ) -> Value? {
    var value = value
    var size = UInt32(MemoryLayout<Value>.size)
    let status = AudioUnitGetProperty(unit, property, scope, element, &value, &size)
    return status == noErr ? value : nil
  }

  /// The values of a property that is an array of a C type.
  func values<Value: BitwiseCopyable>(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    of value: Value
  ) -> [Value] {
    guard let info = info(property, scope, 0), info.size > 0 else { return [] }
    var values = [Value](repeating: value, count: info.size / MemoryLayout<Value>.stride)
    var size = UInt32(values.count * MemoryLayout<Value>.stride)
    let status = AudioUnitGetProperty(unit, property, scope, 0, &values, &size)
    return status == noErr ? Array(values.prefix(Int(size) / MemoryLayout<Value>.stride)) : []
  }

  /// The array behind a property; the unit hands over a reference.
  func array(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> CFArray? {
    var array: Unmanaged<CFArray>?
    var size = UInt32(MemoryLayout.size(ofValue: array))
    let status = AudioUnitGetProperty(unit, property, scope, element, &array, &size)
    return status == noErr ? array?.takeRetainedValue() : nil
  }

  /// Size and writability of a property; nil when the unit does not have it there.
  func info(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> (size: Int, isWritable: Bool)? {
    var size: UInt32 = 0
    var isWritable: DarwinBoolean = false
    let status = AudioUnitGetPropertyInfo(unit, property, scope, element, &size, &isWritable)
    // One that has no value at the moment is there all the same.
    guard status == noErr || status == kAudioUnitErr_PropertyNotInUse else { return nil }
    return (Int(size), isWritable.boolValue)
  }

  /// Whether a property can be read, and not just set.
  func isReadable(
    _ entry: PropertyEntry, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> Bool {
    if entry.isQuestion { return true }
    let capacity = 4_096
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    var size = UInt32(capacity)
    let status = AudioUnitGetProperty(unit, entry.id, scope, element, memory, &size)
    if status == noErr, entry.isObject, let object = memory.load(as: UnsafeRawPointer?.self) {
      Unmanaged<AnyObject>.fromOpaque(object).release()
    }
    return status == noErr || status == kAudioUnitErr_PropertyNotInUse
  }

  /// How many elements a scope has.
  func elementCount(_ scope: AudioUnitScope) -> UInt32 {
    value(kAudioUnitProperty_ElementCount, scope, over: UInt32(0)) ?? 0
  }

  /// The parameters of a scope.
  func parameters(_ scope: AudioUnitScope) -> [AudioUnitParameterID] {
    values(kAudioUnitProperty_ParameterList, scope, of: AudioUnitParameterID(0))
  }
}
