// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import UnitTexts

// Queries of any unit, through its properties.
extension UnsafeMutablePointer where Pointee == ComponentInstanceRecord {
  // MARK: Values

  /// [any thread] The value of a property of a fixed C type; it overwrites `value`, which may
  /// contain input. Nil if the unit does not have the property.
  package func value<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, over value: Value
  ) -> Value? {
    var value = value
    var size = UInt32(clamping: MemoryLayout<Value>.size)
    let status = AudioUnitGetProperty(self, id, scope, element, &value, &size)
    return status == noErr ? value : nil
  }

  /// [control thread] The values of a property that is an array of a C type; empty if the unit does
  /// not have the property.
  package func values<Value: BitwiseCopyable>(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0, of value: Value
  ) -> [Value] {
    let stride = MemoryLayout<Value>.stride
    var size: UInt32 = 0
    guard AudioUnitGetPropertyInfo(self, id, scope, element, &size, nil) == noErr, size > 0 else {
      return []
    }
    var values = [Value](repeating: value, count: Int(size) / stride)
    guard AudioUnitGetProperty(self, id, scope, element, &values, &size) == noErr else {
      return []
    }
    return Array(values.prefix(Int(size) / stride))
  }

  /// [any thread] The text of a property that is a string.
  package func text(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global,
    _ element: AudioUnitElement = 0
  ) -> String? {
    guard let text = value(id, scope, element, over: Unmanaged<CFString>?.none) else { return nil }
    return text.map { String(describing: $0.takeRetainedValue()) }
  }

  // MARK: Elements

  /// [any thread] How many elements a scope has; 0 if the unit does not have the scope.
  package func elementCount(_ scope: AudioUnitScope) -> UInt32 {
    value(kAudioUnitProperty_ElementCount, scope, over: UInt32(0)) ?? 0
  }

  /// [any thread] The format of an element.
  package func streamDescription(_ scope: AudioUnitScope, _ element: AudioUnitElement)
    -> AudioStreamBasicDescription?
  {
    value(kAudioUnitProperty_StreamFormat, scope, element, over: AudioStreamBasicDescription())
  }

  // MARK: Parameters

  /// [control thread] The identifiers of an element's parameters.
  package func parameterIDs(_ scope: AudioUnitScope) -> [AudioUnitParameterID] {
    values(kAudioUnitProperty_ParameterList, scope, of: AudioUnitParameterID(0))
  }

  /// [control thread] The parameters of a scope.
  package func parameterDescriptions(
    _ scope: AudioUnitScope = kAudioUnitScope_Global
  ) -> [ParameterDescription] {
    parameterIDs(scope).compactMap { parameterDescription($0, scope) }
  }

  private func parameterDescription(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope
  ) -> ParameterDescription? {
    guard
      let info = value(
        kAudioUnitProperty_ParameterInfo, scope, id, over: AudioUnitParameterInfo())
    else { return nil }
    let isOwned = info.flags.contains(.flag_CFNameRelease)
    let name = info.cfNameString.map { isOwned ? $0.takeRetainedValue() : $0.takeUnretainedValue() }
    let unitName = info.unit == .customUnit ? info.unitName?.takeUnretainedValue() : nil
    let hasNames = info.flags.contains(.flag_ValuesHaveStrings)
    return ParameterDescription(
      id: id, name: name.map { String(describing: $0) } ?? "", info: info,
      unitName: unitName.map { String(describing: $0) },
      valueNames: hasNames ? valueNames(id, scope) : [])
  }

  /// The names of a parameter's values.
  private func valueNames(_ id: AudioUnitParameterID, _ scope: AudioUnitScope) -> [String] {
    let names = value(
      kAudioUnitProperty_ParameterValueStrings, scope, id, over: Unmanaged<CFArray>?.none)
    guard let names, let names else { return [] }
    return names.takeRetainedValue().map { String(describing: $0) }
  }

  /// [control thread] The name of a group of parameters.
  package func clumpName(_ clump: UInt32, _ scope: AudioUnitScope) -> String? {
    let query = AudioUnitParameterNameInfo(
      inID: clump, inDesiredLength: Int32(kAudioUnitParameterName_Full), outName: nil)
    let name = value(kAudioUnitProperty_ParameterClumpName, scope, over: query)?.outName
    return name.map { String(describing: $0.takeRetainedValue()) }
  }

  // MARK: Presets

  /// [control thread] Its factory presets.
  package var presets: [UnitPreset] {
    let list = value(kAudioUnitProperty_FactoryPresets, over: Unmanaged<CFArray>?.none)
    guard let list, let presets = list?.takeRetainedValue() else { return [] }
    return (0..<CFArrayGetCount(presets)).compactMap { index in
      CFArrayGetValueAtIndex(presets, index).map {
        let preset = $0.assumingMemoryBound(to: AUPreset.self).pointee
        let name = preset.presetName.map { String(describing: $0.takeUnretainedValue()) }
        return UnitPreset(number: preset.presetNumber, name: name ?? "")
      }
    }
  }
}

/// A factory preset of a unit.
package struct UnitPreset {
  package let number: Int32
  package let name: String
}
