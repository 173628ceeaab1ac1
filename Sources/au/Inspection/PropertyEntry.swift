// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioUnitCore

/// A property that a unit may have: a row of its table, or, for a unit of another vendor, any
/// property that the headers declare.
struct PropertyEntry: Sendable {
  let id: AudioUnitPropertyID
  /// The C type of its value; empty if it is unknown.
  let type: String
  /// Whether it is a property of a parameter: its element is the parameter's ID.
  let isByParameter: Bool
  /// Whether reading it requires an argument in the value's memory.
  let takesInput: Bool

  /// The C constant.
  var name: String { PropertyNames.name(id) }

  /// Whether its value is an object that the caller must release.
  var isObject: Bool { type.hasPrefix("CF") }

  /// The properties that a unit may have, in the order of their numbers.
  static func all(of unit: AudioUnit) -> [PropertyEntry] {
    let table = UnitInstance.use(unit) { ($0 as? NativeUnit)?.allProperties }
    guard let table else {
      return PropertyNames.ofUnits.map { PropertyEntry($0, UnitProperty.ofEveryUnit($0)) }
    }
    let rows = Dictionary(table.map { ($0.id, $0) }, uniquingKeysWith: { row, _ in row })
    return PropertyNames.ofUnits.compactMap { id in rows[id].map { PropertyEntry(id, $0) } }
  }

  private init(_ id: AudioUnitPropertyID, _ row: UnitProperty?) {
    self.id = id
    let type = row?.typeName ?? ""
    self.type = type.hasPrefix("CF") ? "\(type)Ref" : type
    isByParameter = row?.addressing == .parameter
    takesInput = row?.takesInput ?? false
  }
}
