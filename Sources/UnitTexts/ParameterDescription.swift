// SPDX-License-Identifier: Apache-2.0
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

  /// A description, as read from a unit.
  package init(
    id: AudioUnitParameterID, name: String, info: AudioUnitParameterInfo, unitName: String?,
    valueNames: [String]
  ) {
    self.id = id
    self.name = name
    self.info = info
    self.unitName = unitName
    self.valueNames = valueNames
  }

  /// Whether it can be read.
  package var isReadable: Bool { info.flags.contains(.flag_IsReadable) }
  /// Whether it can be set.
  package var isWritable: Bool { info.flags.contains(.flag_IsWritable) }
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
