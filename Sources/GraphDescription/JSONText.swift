// SPDX-License-Identifier: Apache-2.0
import PlainText
@_spi(TrappingConversions) import CheckedNumbers

/// A JSON value with its line, for error messages.
///
/// Objects keep the order of their members, because nodes are made in the order of the text.
struct JSONText {
  enum Value {
    case object([Member])
    case array([JSONText])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null
  }

  /// A key of an object, with its value.
  struct Member {
    let key: String
    /// The line of the key.
    let line: Int
    let value: JSONText
  }

  let value: Value
  /// The line in which it begins, counted from one.
  let line: Int

  /// Parses a text according to RFC 8259; a key that occurs twice in one object is an error.
  init(parsing text: String) throws(GraphDescriptionError) {
    var reader = JSONReader(text)
    self = try reader.document()
  }

  init(_ value: Value, line: Int) {
    self.value = value
    self.line = line
  }

  /// The value in words, for error messages.
  var kind: String {
    switch value {
    case .object: "an object"
    case .array: "an array"
    case .string(let text): Excerpt.quoted(text)
    case .number(let number): JSONNumbers.plain(number)
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .null: "null"
    }
  }
}

/// Reads JSON by recursive descent, byte by byte.
private struct JSONReader {
  /// The maximum depth, so that no text can exhaust the stack.
  private static let deepest = 64

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var depth = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func document() throws(GraphDescriptionError) -> JSONText {
    let value = try self.value()
    skipSpace()
    guard position == bytes.count else { throw error("\(found) follows the end of the JSON value") }
    return value
  }

  private mutating func value() throws(GraphDescriptionError) -> JSONText {
    skipSpace()
    let line = self.line
    guard let byte = peek else { throw error("the text ends where a value is expected") }
    switch byte {
    case UInt8(ascii: "{"):
      return JSONText(
        .object(try nested { reader throws(GraphDescriptionError) in try reader.members() }),
        line: line)
    case UInt8(ascii: "["):
      return JSONText(
        .array(try nested { reader throws(GraphDescriptionError) in try reader.entries() }),
        line: line)
    case UInt8(ascii: "\""): return JSONText(.string(try string()), line: line)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONText(.number(try number()), line: line)
    default: return JSONText(try word(), line: line)
    }
  }

  private mutating func nested<Result>(
    _ body: (inout JSONReader) throws(GraphDescriptionError) -> Result
  ) throws(GraphDescriptionError) -> Result {
    guard depth < Self.deepest else { throw error("nested more than \(Self.deepest) deep") }
    depth += 1
    defer { depth -= 1 }
    position += 1
    return try body(&self)
  }

  private mutating func members() throws(GraphDescriptionError) -> [JSONText.Member] {
    var members: [JSONText.Member] = []
    var keys: Set<String> = []
    if accept("}") { return members }
    repeat {
      skipSpace()
      let line = self.line
      guard peek == UInt8(ascii: "\"") else {
        throw error("expected a key in quotes, found \(found)")
      }
      let key = try string()
      guard keys.insert(key).inserted else {
        throw error("the key \(Excerpt.quoted(key)) occurs twice in one object")
      }
      guard accept(":") else {
        throw error("a colon is missing after the key \(Excerpt.quoted(key))")
      }
      members.append(.init(key: key, line: line, value: try value()))
    } while accept(",")
    guard accept("}") else { throw error("expected ',' or '}', found \(found)") }
    return members
  }

  private mutating func entries() throws(GraphDescriptionError) -> [JSONText] {
    var entries: [JSONText] = []
    if accept("]") { return entries }
    repeat { entries.append(try value()) } while accept(",")
    guard accept("]") else { throw error("expected ',' or ']', found \(found)") }
    return entries
  }

  private mutating func word() throws(GraphDescriptionError) -> JSONText.Value {
    let words: [(String, JSONText.Value)] = [
      ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
    ]
    for (word, value) in words where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return value
    }
    throw error("expected a value, found \(found)")
  }

  /// A number in JSON's syntax, which allows less than Swift's.
  private mutating func number() throws(GraphDescriptionError) -> Double {
    let start = position
    if peek == UInt8(ascii: "-") { position += 1 }
    let whole = digits()
    var isWellFormed = whole == 1 || whole > 1 && bytes[position - whole] != UInt8(ascii: "0")
    if peek == UInt8(ascii: ".") {
      position += 1
      isWellFormed = digits() > 0 && isWellFormed
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      position += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
      isWellFormed = digits() > 0 && isWellFormed
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard isWellFormed, let number = Double(text), number.isFinite else {
      throw error("\(Excerpt.quoted(text)): expected a number")
    }
    return number
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func string() throws(GraphDescriptionError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("a string contains a control character") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: try escaped())
      } else {
        text.append(byte)
      }
    }
    guard peek != nil else { throw error("the text ends within a string") }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of the character after a backslash.
  private mutating func escaped() throws(GraphDescriptionError) -> [UInt8] {
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5c, UInt8(ascii: "/"): 0x2f,
      UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0c, UInt8(ascii: "n"): 0x0a,
      UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09,
    ]
    guard let byte = peek else { throw error("the text ends within a string") }
    position += 1
    if let character = plain[byte] { return [character] }
    guard byte == UInt8(ascii: "u") else { throw error("a string contains an unknown escape") }
    var code = try codeUnit()
    // Characters beyond the first 65,536 are written as two halves (surrogates).
    if (0xd800..<0xdc00).contains(code), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      let low = try codeUnit()
      if (0xdc00..<0xe000).contains(low) { code = 0x10000 + (code - 0xd800) << 10 + low - 0xdc00 }
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw error("a string contains half a character")
    }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func codeUnit() throws(GraphDescriptionError) -> UInt32 {
    let end = position + 4
    // A sign is no digit.
    guard end <= bytes.count, !"+-".utf8.contains(bytes[position]),
      let code = UInt32(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
    else { throw error("\\u needs four hexadecimal digits") }
    position = end
    return code
  }

  // MARK: Bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// The text at the position, for error messages.
  private var found: String {
    guard position < bytes.count else { return "the end of the text" }
    let rest = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    return rest.first.map { "'\(Excerpt.name(String($0)))'" } ?? "nothing"
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\n"): line += 1
      case 0x20, 0x09, 0x0d: break
      default: return
      }
      position += 1
    }
  }

  private func error(_ text: String) -> GraphDescriptionError {
    GraphDescriptionError(line: line, path: "", text)
  }
}
