// SPDX-License-Identifier: Apache-2.0
import PlainText

/// A place in the text of a description.
struct TextPlace {
  var line: Int
  /// The path of members to the place: "nodes.eq.unit".
  var path: String

  /// The place in a description that was not read from a text.
  static let nowhere = TextPlace(line: 0, path: "")

  /// "line 12, nodes.eq.parameters.cutoff"; nil if there is no text.
  var text: String? { line == 0 ? nil : path.isEmpty ? "line \(line)" : "line \(line), \(path)" }

  /// The place of a member of the object at this place.
  func member(_ key: String, line: Int) -> TextPlace {
    let key = Excerpt.name(key)
    return TextPlace(line: line, path: path.isEmpty ? key : "\(path).\(key)")
  }

  /// The place of an entry of the array at this place.
  func entry(_ index: Int, line: Int) -> TextPlace {
    TextPlace(line: line, path: "\(path)[\(index)]")
  }
}

/// A value with its place in the text.
struct Placed<Value> {
  var value: Value
  var place: TextPlace

  init(_ value: Value, at place: TextPlace = .nowhere) {
    self.value = value
    self.place = place
  }
}
