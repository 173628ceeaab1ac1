// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The functions of AudioHardware.h, as programs call them.
package struct AudioObject {
  package let id: AudioObjectID

  package init(id: AudioObjectID) { self.id = id }

  package static let system = AudioObject(id: AudioObjectID(kAudioObjectSystemObject))

  package func address(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
  ) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(
      mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
  }

  package func list<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, of zero: Value,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
  ) throws -> [Value] {
    var address = address(selector, scope)
    var size: UInt32 = 0
    try check(AudioObjectGetPropertyDataSize(id, &address, 0, nil, &size))
    var values = [Value](repeating: zero, count: Int(size) / MemoryLayout<Value>.stride)
    try check(AudioObjectGetPropertyData(id, &address, 0, nil, &size, &values))
    return values
  }

  package func value<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, of zero: Value,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
  ) throws -> Value {
    guard let first = try list(selector, of: zero, scope).first else {
      throw CallFailure(status: noErr, call: "property \(selector) is empty")
    }
    return first
  }

  package func text(_ selector: AudioObjectPropertySelector) throws -> String {
    var address = address(selector)
    var text: Unmanaged<CFString>?
    var size = UInt32(MemoryLayout.size(ofValue: text))
    try check(AudioObjectGetPropertyData(id, &address, 0, nil, &size, &text))
    guard let text else { throw CallFailure(status: noErr, call: "property \(selector) is null") }
    return String(describing: text.takeRetainedValue())
  }

  package func setting<Value: BitwiseCopyable>(
    _ selector: AudioObjectPropertySelector, to value: Value
  ) -> OSStatus {
    var address = address(selector)
    var value = value
    return AudioObjectSetPropertyData(
      id, &address, 0, nil, UInt32(MemoryLayout<Value>.size), &value)
  }

  /// The number of channels of a scope, counted as programs do.
  package func channelCount(_ scope: AudioObjectPropertyScope) throws -> Int {
    var address = address(kAudioDevicePropertyStreamConfiguration, scope)
    var size: UInt32 = 0
    try check(AudioObjectGetPropertyDataSize(id, &address, 0, nil, &size))
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 8)
    defer { memory.deallocate() }
    try check(AudioObjectGetPropertyData(id, &address, 0, nil, &size, memory))
    let list = UnsafeMutableAudioBufferListPointer(
      memory.assumingMemoryBound(to: AudioBufferList.self))
    return list.reduce(0) { $0 + Int($1.mNumberChannels) }
  }
}
