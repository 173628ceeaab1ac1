// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// An instance of a component, which ends with this object.
final class UnitHandle: @unchecked Sendable {  // the functions are safe for threads
  let unit: AudioUnit

  /// A new instance; nil if the component cannot make one.
  init?(_ component: AudioComponent) {
    var unit: AudioUnit?
    guard AudioComponentInstanceNew(component, &unit) == noErr, let unit else { return nil }
    self.unit = unit
  }

  deinit { AudioComponentInstanceDispose(unit) }
}

extension AudioUnit {
  /// The number of elements of a scope.
  func elementCount(_ scope: AudioUnitScope) -> UInt32 {
    value(kAudioUnitProperty_ElementCount, scope, over: UInt32(0)) ?? 0
  }

  /// Reads a property; nil if it cannot be read.
  func value<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, over initial: Value
  ) -> Value? {
    var value = initial
    var size = UInt32(MemoryLayout<Value>.size)
    return AudioUnitGetProperty(self, id, scope, element, &value, &size) == noErr ? value : nil
  }

  /// Reads a property that is an array; nil if it cannot be read.
  func values<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, filler: Value
  ) -> [Value]? {
    var size: UInt32 = 0
    guard AudioUnitGetPropertyInfo(self, id, scope, element, &size, nil) == noErr else {
      return nil
    }
    var values = [Value](repeating: filler, count: Int(size) / MemoryLayout<Value>.size)
    guard !values.isEmpty else { return [] }
    let status = values.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return kAudio_ParamError }
      return AudioUnitGetProperty(self, id, scope, element, start, &size)
    }
    return status == noErr ? values : nil
  }

  /// Sets a property.
  @discardableResult
  func set<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, to value: Value
  ) -> OSStatus {
    var value = value
    return AudioUnitSetProperty(
      self, id, scope, element, &value, UInt32(MemoryLayout<Value>.size))
  }

  /// Sets a parameter.
  @discardableResult
  func setParameter(
    _ id: AudioUnitParameterID, to value: Float, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> OSStatus {
    AudioUnitSetParameter(self, id, scope, element, value, 0)
  }

  /// The value of a parameter; zero if the unit does not have it.
  func parameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> Float {
    var value: AudioUnitParameterValue = 0
    AudioUnitGetParameter(self, id, scope, element, &value)
    return value
  }
}
