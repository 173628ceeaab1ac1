// SPDX-License-Identifier: Apache-2.0
import PlainText

// Reads the described values of a unit from JSON.
extension JSONCursor {
  /// The number of a preset, or its name.
  func preset() throws(GraphDescriptionError) -> GraphDescription.Preset {
    switch text.value {
    case .string(let name): return .name(name)
    case .number: return .number(Int32(clamping: try wholeNumber(in: 0...Int(Int32.max))))
    default: throw expected("the name of a preset, or its number")
    }
  }

  /// Properties by name, in the order in which they are set.
  func properties() throws(GraphDescriptionError)
    -> [Placed<GraphDescription.Property>]
  {
    let object = try object(keys: DescribedProperty.all.map(\.name))
    var properties: [Placed<GraphDescription.Property>] = []
    for kind in DescribedProperty.all {
      guard let cursor = object[kind.name] else { continue }
      properties.append(.init(.init(kind: kind, rows: try kind.rows(cursor)), at: cursor.place))
    }
    return properties
  }

  /// Parameters by name, each with a number or a text.
  func settings() throws(GraphDescriptionError)
    -> [(name: String, setting: Placed<GraphDescription.Setting>)]
  {
    var settings: [(String, Placed<GraphDescription.Setting>)] = []
    for (key, cursor) in try members() {
      settings.append((key, .init(try cursor.setting(), at: cursor.place)))
    }
    return settings
  }

  private func setting() throws(GraphDescriptionError) -> GraphDescription.Setting {
    switch text.value {
    case .number(let number): return .number(number)
    case .bool(let isOn): return .number(isOn ? 1 : 0)
    case .string(let name): return .name(name)
    case .array:
      var settings: [GraphDescription.Setting] = []
      for entry in try entries() {
        let setting = try entry.setting()
        if case .each = setting { throw entry.expected("a number, a text, true or false") }
        settings.append(setting)
      }
      return .each(settings)
    default: throw expected("a number, a text, true, false, or an array of these")
    }
  }
}
