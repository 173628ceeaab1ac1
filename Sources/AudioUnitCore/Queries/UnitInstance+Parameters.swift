// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import UnitTexts

// The parameters of any unit.
extension UnitInstance {
  /// [control thread] The parameters of an element.
  package func parameterDescriptions(
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) -> [ParameterDescription] {
    let ids = values(kAudioUnitProperty_ParameterList, scope, element, of: AudioUnitParameterID(0))
    return (ids ?? []).compactMap { parameterDescription($0, scope) }
  }

  /// [control thread] A parameter of a scope; nil if there is none.
  package func parameterDescription(_ id: AudioUnitParameterID, _ scope: AudioUnitScope)
    -> ParameterDescription?
  {
    guard
      let info = value(
        kAudioUnitProperty_ParameterInfo, scope, id, over: AudioUnitParameterInfo())
    else { return nil }
    let name = info.__cfNameString.flatMap { Bridge.current.string($0) }
    if info.flags.contains(.flag_CFNameRelease), let name = info.__cfNameString {
      Bridge.current.release(name)
    }
    let unitName = info.unit == .customUnit ? info.__unitName : nil
    let hasNames = info.flags.contains(.flag_ValuesHaveStrings)
    return ParameterDescription(
      id: id, name: name ?? "", info: info,
      unitName: unitName.flatMap { Bridge.current.string($0) },
      valueNames: hasNames ? texts(kAudioUnitProperty_ParameterValueStrings, scope, id) ?? [] : [])
  }
}
