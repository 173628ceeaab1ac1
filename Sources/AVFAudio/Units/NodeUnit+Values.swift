// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

extension NodeUnit {
  /// The value of a parameter; zero if the unit does not have it.
  func parameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> Float {
    var value: AudioUnitParameterValue = 0
    AudioUnitGetParameter(handle, id, scope, element, &value)
    return value
  }

  /// Sets a global parameter; a value that is not a number changes nothing.
  func set(parameter id: AudioUnitParameterID, to value: Float) {
    set(parameter: id, kAudioUnitScope_Global, 0, value)
  }

  /// A property of the unit that is a Boolean; false if the unit does not have it.
  subscript(flag id: AudioUnitPropertyID) -> Bool {
    get { value(id, kAudioUnitScope_Global, 0 as UInt32) == 1 }
    set { set(id, kAudioUnitScope_Global, 0, (newValue ? 1 : 0) as UInt32) }
  }

  /// The value of a property that is an array; nil if the unit does not have it.
  func values<Value: BitwiseCopyable>(_ id: AudioUnitPropertyID, filler: Value) -> [Value]? {
    var size: UInt32 = 0
    guard
      AudioUnitGetPropertyInfo(handle, id, kAudioUnitScope_Global, 0, &size, nil) == noErr
    else { return nil }
    var values = [Value](repeating: filler, count: Int(size) / MemoryLayout<Value>.size)
    guard !values.isEmpty else { return [] }
    let status = values.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return kAudio_ParamError }
      return AudioUnitGetProperty(handle, id, kAudioUnitScope_Global, 0, start, &size)
    }
    return status == noErr ? values : nil
  }

  /// Selects a factory preset.
  func load(factoryPreset number: Int) {
    var preset = AUPreset()
    preset.presetNumber = Int32(clamping: number)
    set(kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, preset)
  }
}
