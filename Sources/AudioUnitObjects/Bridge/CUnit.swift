// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import AudioValues
import CoreAudio
import Foundation

/// A C unit with its properties, as the values of Swift.
///
/// It is disposed of with this object, if it was made by this object.
class CUnit: @unchecked Sendable {  // the functions are safe for threads
  let handle: AudioUnit
  private let isOwn: Bool

  /// Makes a unit of a component, with the options of a program. [control thread]
  init(_ component: AudioComponent, _ options: AudioComponentInstantiationOptions) throws {
    var made: AudioUnit?
    try Self.check(AudioComponentInstanceNew(component, options, &made))
    guard let made else { throw NSError(AudioError.failedInitialization) }
    handle = made
    isOwn = true
  }

  /// The unit behind a handle, which must live as long as this object.
  init(lent handle: AudioUnit) {
    self.handle = handle
    isOwn = false
  }

  deinit { if isOwn { AudioComponentInstanceDispose(handle) } }

  /// Throws if a C function has just failed on this thread.
  static func check(_ status: OSStatus) throws {
    guard status == noErr else { throw NSError(failed: status) }
  }

  // MARK: Properties

  /// The value of a property, which overwrites `value`; nil if the unit does not have
  /// it.
  func value<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, over value: Value
  ) -> Value? {
    var value = value
    var size = UInt32(MemoryLayout<Value>.size)
    return AudioUnitGetProperty(handle, id, scope, element, &value, &size) == noErr ? value : nil
  }

  /// The values of a property that is an array; nil if the unit does not have it.
  func values<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, filler: Value
  ) -> [Value]? {
    var size: UInt32 = 0
    guard AudioUnitGetPropertyInfo(handle, id, scope, element, &size, nil) == noErr else {
      return nil
    }
    var values = [Value](repeating: filler, count: Int(size) / MemoryLayout<Value>.stride)
    guard !values.isEmpty else { return [] }
    guard AudioUnitGetProperty(handle, id, scope, element, &values, &size) == noErr else {
      return nil
    }
    return Array(values.prefix(Int(size) / MemoryLayout<Value>.stride))
  }

  /// Sets a property.
  func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, to value: Value
  ) throws {
    try Self.check(
      withUnsafePointer(to: value) {
        AudioUnitSetProperty(handle, id, scope, element, $0, UInt32(MemoryLayout<Value>.size))
      })
  }

  /// Removes the value of a property.
  func remove(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) throws {
    try Self.check(AudioUnitSetProperty(handle, id, scope, element, nil, 0))
  }

  /// A property that is a Boolean; nil if the unit does not have it.
  func flag(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> Bool? {
    value(id, scope, element, over: 0 as UInt32).map { $0 != 0 }
  }

  /// Sets a property that is a Boolean.
  func set(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, toFlag flag: Bool
  ) throws {
    try set(id, scope, element, to: (flag ? 1 : 0) as UInt32)
  }

  /// A property that is an object; nil if the unit does not have it. The reference that the unit
  /// returns is released.
  func object(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> AnyObject? {
    guard let value = value(id, scope, element, over: UnsafeRawPointer?.none), let object = value
    else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
  }

  /// Sets a property that is an object.
  func set(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, toObject object: AnyObject
  ) throws {
    try withExtendedLifetime(object) {
      try set(id, scope, element, to: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
    }
  }

  // MARK: Formats

  /// The number of elements of a scope.
  func elementCount(_ scope: AudioUnitScope) -> Int {
    Int(value(kAudioUnitProperty_ElementCount, scope, over: 0 as UInt32) ?? 0)
  }

  /// The format of an element; nil if it does not exist or has no format.
  func format(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> AVAudioFormat? {
    value(kAudioUnitProperty_StreamFormat, scope, element, over: AudioStreamBasicDescription())
      .flatMap { AVAudioFormat(anyOf: $0) }
  }
}

extension AVAudioFormat {
  /// The format of a description; with more than two channels these are in no particular places.
  convenience init?(anyOf description: AudioStreamBasicDescription) {
    var description = description
    guard description.mChannelsPerFrame > 2 else {
      self.init(streamDescription: &description)
      return
    }
    self.init(
      streamDescription: &description,
      channelLayout: AVAudioChannelLayout(
        layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | description.mChannelsPerFrame))
  }
}
