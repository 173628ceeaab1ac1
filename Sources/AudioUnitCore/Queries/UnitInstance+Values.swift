// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// Queries of any unit, native or foreign, through the common properties.
extension UnitInstance {
  /// [any thread] Runs `body` on the unit of a handle, which cannot be disposed of meanwhile; nil
  /// if the handle is invalid.
  package static func use<Result>(_ handle: AudioUnit, _ body: (UnitInstance) -> Result?) -> Result?
  {
    guard let unit = Handles.units.enter(handle) else { return nil }
    defer { Handles.units.leave(handle) }
    return body(unit.takeUnretainedValue())
  }

  // MARK: Values

  /// [control thread] The value of a property of a fixed C type; it overwrites `value`, which may
  /// contain input. Nil if the unit does not have the property.
  package func value<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, over value: Value
  ) -> Value? {
    var value = value
    var size = UInt32(MemoryLayout<Value>.size)
    let address = PropertyAddress(id, scope, element)
    return (try? getProperty(address, into: &value, size: &size)) == nil ? nil : value
  }

  /// [control thread] The values of a property that is an array of a C type; nil if the unit does
  /// not have the property.
  package func values<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, of value: Value
  ) -> [Value]? {
    let address = PropertyAddress(id, scope, element)
    let stride = MemoryLayout<Value>.stride
    guard let info = try? propertyInfo(address) else { return nil }
    var values = [Value](repeating: value, count: info.size / stride)
    var size = UInt32(values.count * stride)
    guard size > 0 else { return [] }
    guard (try? getProperty(address, into: &values, size: &size)) != nil else { return nil }
    return Array(values.prefix(Int(size) / stride))
  }

  /// [control thread] Sets a property of a fixed C type.
  package func set<Value>(
    _ id: AudioUnitPropertyID, _ value: Value, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) throws(AudioError) {
    try withUnsafeBytes(of: value) { (bytes) throws(AudioError) in
      try setProperty(
        PropertyAddress(id, scope, element), bytes.baseAddress, size: UInt32(bytes.count))
    }
  }

  // MARK: Objects

  /// [control thread] The text of a property that is a string.
  package func text(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> String? {
    object(id, scope, element) { Bridge.current.string($0) }
  }

  /// [control thread] The texts of a property that is an array of strings.
  package func texts(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> [String]? {
    object(id, scope, element) { Bridge.current.strings($0) }
  }

  /// [control thread] The result of `read` for the object that is the value of a property. Releases
  /// the reference that the unit returns.
  func object<Result>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ read: (UnsafeRawPointer) -> Result?
  ) -> Result? {
    guard let value = value(id, scope, element, over: UnsafeRawPointer?.none), let object = value
    else { return nil }
    defer { Bridge.current.release(object) }
    return read(object)
  }

  // MARK: Elements

  /// [any thread] How many elements a scope has.
  package func elementCount(_ scope: AudioUnitScope) throws(AudioError) -> UInt32 {
    var count: UInt32 = 0
    var size = UInt32(MemoryLayout<UInt32>.size)
    try getProperty(
      PropertyAddress(kAudioUnitProperty_ElementCount, scope, 0), into: &count, size: &size)
    return count
  }

  /// [control thread] The format of an element, as the C type.
  package func streamDescription(_ scope: AudioUnitScope, _ element: AudioUnitElement)
    -> AudioStreamBasicDescription?
  {
    value(kAudioUnitProperty_StreamFormat, scope, element, over: AudioStreamBasicDescription())
  }

  /// [control thread] The format of an element.
  package func streamFormat(_ scope: AudioUnitScope, _ element: AudioUnitElement)
    throws(AudioError) -> StreamFormat
  {
    var description = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    try getProperty(
      PropertyAddress(kAudioUnitProperty_StreamFormat, scope, element), into: &description,
      size: &size)
    return try StreamFormat(description)
  }

  /// [control thread] Sets the format of an element.
  package func setStreamFormat(_ format: StreamFormat, _ scope: AudioUnitScope, _ element: UInt32)
    throws(AudioError)
  { try set(kAudioUnitProperty_StreamFormat, format.description, scope, element) }

  // MARK: The whole unit

  /// [control thread] The maximum number of frames per slice; nil if the unit does not report it.
  package var maximumFramesPerSlice: UInt32? {
    let frames = value(kAudioUnitProperty_MaximumFramesPerSlice, over: UInt32(0)) ?? 0
    return frames > 0 ? frames : nil
  }

  /// [control thread] Changes the maximum number of frames per slice, if possible and if no program
  /// has set it; returns whether it did.
  package func adaptMaximumFramesPerSlice(to frames: UInt32) -> Bool {
    guard !hasChosenMaximumFrames else { return false }
    defer { hasChosenMaximumFrames = false }
    do { try set(kAudioUnitProperty_MaximumFramesPerSlice, frames) } catch { return false }
    return true
  }

  /// [control thread] The latency in seconds that the unit reports, limited to 0…10.
  package var latencySeconds: Double {
    let seconds = ownLatency ?? value(kAudioUnitProperty_Latency, over: 0.0) ?? 0
    return seconds.isFinite ? min(max(seconds, 0), 10) : 0
  }

  /// [any thread] Whether it plays; nil if the unit does not report it.
  package var isPlaying: Bool? {
    value(kAudioOutputUnitProperty_IsRunning, over: UInt32(0)).map { $0 != 0 }
  }

  /// [control thread] The name that its host gave it (`kAudioUnitProperty_NickName`).
  package var givenName: String? { text(kAudioUnitProperty_NickName) }

  /// [control thread] Sets the name, if the unit supports that; foreign units may not.
  package func setGivenName(_ name: String?) {
    let object = name.map { Bridge.current.retainedString($0) }
    defer { object.map { Bridge.current.release($0) } }
    try? set(kAudioUnitProperty_NickName, object)
  }
}
