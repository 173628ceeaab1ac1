// SPDX-License-Identifier: Apache-2.0
import PlainText

/// Where something stands in the text.
struct TextPlace {
  var line: Int
  /// The members that lead there: "nodes.eq.unit".
  var path: String

  /// Where a description that was never a text stands.
  static let nowhere = TextPlace(line: 0, path: "")

  /// "line 12, nodes.eq.parameters.cutoff"; nil where there is no text.
  var text: String? { line == 0 ? nil : path.isEmpty ? "line \(line)" : "line \(line), \(path)" }

  /// A member of what stands here.
  func member(_ key: String, line: Int) -> TextPlace {
    let key = Excerpt.name(key)
    return TextPlace(line: line, path: path.isEmpty ? key : "\(path).\(key)")
  }

  /// An entry of the array that stands here.
  func entry(_ index: Int, line: Int) -> TextPlace {
    TextPlace(line: line, path: "\(path)[\(index)]")
  }
}

/// Something with its place.
struct Placed<Value> {
  var value: Value
  var place: TextPlace

  init(_ value: Value, at place: TextPlace = .nowhere) {
    self.value = value
    self.place = place
  }
}
