// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import PlainText

/// A parameter as its unit describes it, native or foreign.
package struct ParameterDescription {
  /// Its identifier in the unit.
  package let id: AudioUnitParameterID
  /// For display: "cutoff frequency".
  package let name: String
  /// Unit, limits and flags; its strings have been released.
  package let info: AudioUnitParameterInfo
  /// The name of a custom unit of measure: "beats"; nil for those of the headers.
  package let unitName: String?
  /// The names of its values, from its minimum on; none where they are numbers.
  package let valueNames: [String]

  /// Whether it can be read.
  package var isReadable: Bool { info.flags.contains(.flag_IsReadable) }
  /// Whether it can be set.
  package var isWritable: Bool { info.flags.contains(.flag_IsWritable) }

  /// The value with this name; nil if there is none.
  package func value(named name: String) -> AudioUnitParameterValue? {
    let wanted = NameKey.of(name)
    return valueNames.firstIndex { NameKey.of($0) == wanted }.map { info.minValue + Float($0) }
  }
}

extension UnitInstance {
  /// [control thread] The numbers of the parameters of an element.
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
    var question = AudioUnitParameterNameInfo()
    question.inID = clump
    question.inDesiredLength = Int32(kAudioUnitParameterName_Full)
    guard let answer = value(kAudioUnitProperty_ParameterClumpName, scope, over: question),
      let name = answer.__outName
    else { return nil }
    defer { Bridge.current.release(name) }
    return Bridge.current.string(name)
  }
}

extension [ParameterDescription] {
  /// Those that `text` means: the one of that name or number; else those whose names begin so; else those
  /// whose names contain it.
  package func named(_ text: String) -> [ParameterDescription] {
    let exact = NameKey.of(text)
    if let id = AudioUnitParameterID(text), !contains(where: { NameKey.of($0.name) == exact }) {
      if let byNumber = first(where: { $0.id == id }) { return [byNumber] }
    }
    return NameKey.matches(text, in: self, name: \.name)
  }
}
