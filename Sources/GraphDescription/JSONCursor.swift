// SPDX-License-Identifier: Apache-2.0
import PlainText

/// Reads a value of a JSON text as an expected type; errors contain its place.
struct JSONCursor {
  let text: JSONText
  let place: TextPlace

  init(_ text: JSONText, at place: TextPlace) {
    self.text = text
    self.place = place
  }

  /// The members of an object, in the order of the text.
  func members() throws(GraphDescriptionError) -> [(key: String, cursor: JSONCursor)] {
    guard case .object(let members) = text.value else { throw expected("an object") }
    return members.map {
      ($0.key, JSONCursor($0.value, at: place.member($0.key, line: $0.line)))
    }
  }

  /// The members of an object, whose keys must be among `keys`.
  func object(keys: [String]) throws(GraphDescriptionError) -> [String: JSONCursor] {
    var object: [String: JSONCursor] = [:]
    for (key, cursor) in try members() {
      guard keys.contains(key) else {
        let known = keys.filter { !$0.hasPrefix("$") }.joined(separator: ", ")
        throw GraphDescriptionError(
          at: cursor.place, "\(Excerpt.quoted(key)): expected one of \(known)")
      }
      object[key] = cursor
    }
    return object
  }

  /// The entries of an array.
  func entries() throws(GraphDescriptionError) -> [JSONCursor] {
    guard case .array(let entries) = text.value else { throw expected("an array") }
    return entries.enumerated().map { index, entry in
      JSONCursor(entry, at: place.entry(index, line: entry.line))
    }
  }

  /// The text of a string.
  func string() throws(GraphDescriptionError) -> String {
    guard case .string(let text) = text.value else { throw expected("a string") }
    return text
  }

  /// A Boolean.
  func bool() throws(GraphDescriptionError) -> Bool {
    guard case .bool(let isTrue) = text.value else { throw expected("true or false") }
    return isTrue
  }

  /// A number within limits.
  func number(in range: ClosedRange<Double>) throws(GraphDescriptionError) -> Double {
    guard case .number(let number) = text.value, range.contains(number) else {
      let low = JSONNumbers.plain(range.lowerBound)
      throw expected("a number from \(low) to \(JSONNumbers.plain(range.upperBound))")
    }
    return number
  }

  /// A number within limits, or a string with a number as people type it: "44.1k".
  func number(
    in range: ClosedRange<Double>, as quantity: Quantity
  ) throws(GraphDescriptionError) -> Double {
    guard case .string(let typed) = text.value else { return try number(in: range) }
    guard let value = quantity.value(of: typed), range.contains(value) else {
      let (low, high) = (range.lowerBound, range.upperBound)
      throw GraphDescriptionError(
        at: place,
        "\(Excerpt.quoted(typed)): expected a number from \(JSONNumbers.plain(low)) to "
          + "\(JSONNumbers.plain(high)), such as \(quantity.examples)")
    }
    return value
  }

  /// A whole number within limits.
  func wholeNumber(in range: ClosedRange<Int>) throws(GraphDescriptionError) -> Int {
    guard case .number(let number) = text.value, let whole = Int(exactly: number),
      range.contains(whole)
    else { throw expected("a whole number from \(range.lowerBound) to \(range.upperBound)") }
    return whole
  }

  /// The index of a name in `names`, where "" is not a name; or a whole number.
  func choice(of names: [String]) throws(GraphDescriptionError) -> UInt32 {
    if case .number = text.value {
      return UInt32(clamping: try wholeNumber(in: 0...Int(UInt32.max)))
    }
    let name = try string()
    guard let number = names.firstIndex(of: name), !name.isEmpty else {
      let known = names.filter { !$0.isEmpty }.map { "\"\($0)\"" }.joined(separator: ", ")
      throw GraphDescriptionError(
        at: place, "\(Excerpt.quoted(name)): expected one of \(known)")
    }
    return UInt32(clamping: number)
  }

  /// The error for a value of another type, or out of range.
  func expected(_ expectation: String) -> GraphDescriptionError {
    GraphDescriptionError(at: place, "expected \(expectation), found \(text.kind)")
  }
}
