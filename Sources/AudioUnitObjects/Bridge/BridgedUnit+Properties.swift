// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import AudioValues
import CoreAudio
import Foundation

// The properties of a C unit, as an object shows them.
extension BridgedUnit {
  // MARK: Buses

  /// The inputs or the outputs, as the C unit has them.
  func busSource(_ type: AUAudioUnitBusType) -> AUAudioUnitBusArray.Source {
    var isWritable = false
    AudioUnitGetPropertyInfo(
      handle, kAudioUnitProperty_ElementCount, type.scope, 0, nil, &isWritable)
    return AUAudioUnitBusArray.Source(
      isCountChangeable: isWritable,
      count: { [weak self] in
        self?.value(kAudioUnitProperty_ElementCount, type.scope, over: 0 as UInt32).map(Int.init)
      },
      setCount: { [weak self] count in
        guard let count = UInt32(exactly: count) else {
          throw NSError(AudioError.invalidPropertyValue.because("\(count) buses"))
        }
        try self?.set(kAudioUnitProperty_ElementCount, type.scope, 0, to: count)
      },
      bus: { [weak self] index in
        guard let self else { return nil }
        let bus = BridgedBus(self, type.scope, AudioUnitElement(index))
        return bus.format.map { AUAudioUnitBus(bus, $0) }
      },
      follow: { [weak self] call in
        guard let self else { return }
        watch.followBuses(of: handle) { scope, index, key in
          if scope == type.scope { call(index, key) }
        }
      })
  }

  /// Sets the channel map of an output unit; nil removes it.
  func setChannelMap(_ map: [Int32]?) {
    guard let map, !map.isEmpty else {
      try? remove(kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0)
      return
    }
    AudioUnitSetProperty(
      handle, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, map,
      UInt32(map.count * MemoryLayout<Int32>.size))
  }

  // MARK: Presets

  /// The presets that come with the unit; nil if there are none.
  var factoryPresets: [AUAudioUnitPreset]? {
    guard
      let value = value(
        kAudioUnitProperty_FactoryPresets, over: UnsafeRawPointer?.none),
      let array = value
    else { return nil }
    defer { Bridge.current.release(array) }
    return Bridge.current.presets(array)?.map { AUAudioUnitPreset(Int($0.number), $0.name) }
  }

  /// The preset that was selected last.
  var currentPreset: AUAudioUnitPreset? {
    guard
      let preset = value(
        kAudioUnitProperty_PresentPreset, over: AUPreset())
    else { return nil }
    let name = preset.__presetName.map {
      Unmanaged<NSString>.fromOpaque($0).takeRetainedValue().description
    }
    return AUAudioUnitPreset(Int(preset.presetNumber), name ?? "")
  }

  /// Selects a factory preset, or stores number and name of a preset of the user.
  func select(_ preset: AUAudioUnitPreset) throws {
    let name = preset.name as NSString
    var value = AUPreset()
    value.presetNumber = Int32(clamping: preset.number)
    value.__presetName = UnsafeRawPointer(Unmanaged.passUnretained(name).toOpaque())
    try withExtendedLifetime(name) { try set(kAudioUnitProperty_PresentPreset, to: value) }
  }

  // MARK: Devices

  /// Whether an input or output of an output unit can reach a device.
  func hasIO(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> Bool {
    guard description.isOutput else { return false }
    return flag(kAudioOutputUnitProperty_HasIO, scope, element)
      ?? (scope == kAudioUnitScope_Output)
  }

  /// Whether it is used for that.
  func isIOEnabled(_ scope: AudioUnitScope, _ element: AudioUnitElement) -> Bool {
    guard description.isOutput else { return scope == kAudioUnitScope_Output }
    return flag(kAudioOutputUnitProperty_EnableIO, scope, element)
      ?? (scope == kAudioUnitScope_Output)
  }

  /// Uses it for that or not; a unit with render resources keeps what it does.
  func enableIO(_ isOn: Bool, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
    guard description.isOutput else { return }
    try? set(kAudioOutputUnitProperty_EnableIO, scope, element, toFlag: isOn)
  }

  /// The seconds by which the device of an output unit delays one direction.
  func deviceLatency(_ scope: AudioUnitScope) -> TimeInterval {
    guard description.isOutput else { return 0 }
    let element = scope == kAudioUnitScope_Input ? 1 : 0 as UInt32
    guard let format = format(scope, element), format.sampleRate > 0,
      let device = value(
        kAudioOutputUnitProperty_CurrentDevice, over: 0 as AudioObjectID)
    else { return 0 }
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioDevicePropertyLatency,
      mScope: scope == kAudioUnitScope_Input
        ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput,
      mElement: kAudioObjectPropertyElementMain)
    var frames: UInt32 = 0
    var size = UInt32(MemoryLayout<UInt32>.size)
    guard AudioObjectGetPropertyData(device, &address, 0, nil, &size, &frames) == noErr else {
      return 0
    }
    return Double(frames) / format.sampleRate
  }
}

extension AUAudioUnitPreset {
  /// A preset with a number and a name.
  convenience init(_ number: Int, _ name: String) {
    self.init()
    self.number = number
    self.name = name
  }
}
