// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import PlainText

/// A parameter as its unit describes it, native or foreign.
package struct ParameterDescription {
  /// The identifier of the parameter.
  package let id: AudioUnitParameterID
  /// The name for display: "cutoff frequency".
  package let name: String
  /// Unit, limits and flags; its strings have been released.
  package let info: AudioUnitParameterInfo
  /// The name of a custom unit of measure, such as "beats"; nil for the units of the C headers.
  package let unitName: String?
  /// The names of its values, from the minimum on; empty if the values are numbers.
  package let valueNames: [String]

  /// Whether it can be read.
  package var isReadable: Bool { info.flags.contains(.flag_IsReadable) }
  /// Whether it can be set.
  package var isWritable: Bool { info.flags.contains(.flag_IsWritable) }

  /// The value with this name; nil if there is none.
  package func value(named name: String) -> AudioUnitParameterValue? {
    let key = NameKey.of(name)
    return valueNames.firstIndex { NameKey.of($0) == key }.map { info.minValue + Float($0) }
  }
}

extension UnitInstance {
  /// [control thread] The identifiers of an element's parameters.
  package func parameterIDs(_ scope: AudioUnitScope, _ element: AudioUnitElement = 0)
    -> [AudioUnitParameterID]
  {
    values(kAudioUnitProperty_ParameterList, scope, element, of: AudioUnitParameterID(0)) ?? []
  }

  /// [control thread] The parameters of an element.
  package func parameterDescriptions(
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) -> [ParameterDescription] {
    parameterIDs(scope, element).compactMap { parameterDescription($0, scope) }
  }

  private func parameterDescription(_ id: AudioUnitParameterID, _ scope: AudioUnitScope)
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

  /// [control thread] The name of a group of parameters.
  package func clumpName(_ clump: UInt32, _ scope: AudioUnitScope) -> String? {
    var query = AudioUnitParameterNameInfo()
    query.inID = clump
    query.inDesiredLength = Int32(kAudioUnitParameterName_Full)
    guard let result = value(kAudioUnitProperty_ParameterClumpName, scope, over: query),
      let name = result.__outName
    else { return nil }
    defer { Bridge.current.release(name) }
    return Bridge.current.string(name)
  }
}

extension [ParameterDescription] {
  /// The parameters that match `text`: the one with this name or number; otherwise those whose
  /// names begin with it; otherwise those whose names contain it.
  package func named(_ text: String) -> [ParameterDescription] {
    let exact = NameKey.of(text)
    if let id = AudioUnitParameterID(text), !contains(where: { NameKey.of($0.name) == exact }) {
      if let byNumber = first(where: { $0.id == id }) { return [byNumber] }
    }
    return NameKey.matches(text, in: self, name: \.name)
  }
}
