// SPDX-License-Identifier: Apache-2.0

/// The appearance of text.
package struct Style: OptionSet {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let bold = Style(rawValue: 1)
  package static let dim = Style(rawValue: 2)
  package static let reverse = Style(rawValue: 4)
  package static let accent = Style(rawValue: 8)
  package static let green = Style(rawValue: 16)
  package static let yellow = Style(rawValue: 32)
  package static let red = Style(rawValue: 64)

  /// The escape sequence that selects it.
  fileprivate func sequence(colours: Bool) -> String {
    var codes: [String] = []
    if contains(.bold) { codes.append("1") }
    if contains(.dim) { codes.append("2") }
    if contains(.reverse) { codes.append("7") }
    if colours {
      if contains(.accent) { codes.append("36") }
      if contains(.green) { codes.append("32") }
      if contains(.yellow) { codes.append("33") }
      if contains(.red) { codes.append("31") }
    }
    return codes.isEmpty ? "" : "\u{1b}[\(codes.joined(separator: ";"))m"
  }
}

/// A line of the screen.
package struct Line: Equatable {
  private struct Span: Equatable {
    var text: String
    var style: Style
  }

  private var spans: [Span] = []

  /// An empty line, or a line with one text.
  package init(_ text: String = "", _ style: Style = []) { add(text, style) }

  /// Its width in terminal columns.
  package var width: Int { spans.reduce(0) { $0 + $1.text.columns } }

  /// The text without its style.
  package var text: String { spans.map(\.text).joined() }

  /// Adds a text.
  package mutating func add(_ text: String, _ style: Style = []) {
    if text.isEmpty { return }
    spans.append(
      Span(text: TerminalCharacters.areASCII ? TerminalCharacters.ascii(text) : text, style: style))
  }

  /// Adds spaces up to a column.
  package mutating func pad(to column: Int) {
    add(String(repeating: " ", count: max(0, column - width)))
  }

  /// The line centred in a number of columns.
  package func centred(in columns: Int) -> Line {
    var line = Line(String(repeating: " ", count: max(0, (columns - width) / 2)))
    line.spans += spans
    return line
  }

  /// Two lines, one after the other.
  package static func + (first: Line, second: Line) -> Line {
    var line = first
    line.spans += second.spans
    return line
  }

  /// The escape sequence for its first `columns` columns.
  package func sequence(columns: Int, colours: Bool) -> String {
    var left = columns
    var sequence = ""
    for span in spans where left > 0 {
      let text = span.text.prefix(columns: left)
      left -= text.columns
      let style = span.style.sequence(colours: colours)
      sequence += style.isEmpty ? String(text) : "\(style)\(text)\u{1b}[0m"
    }
    return sequence
  }
}

extension StringProtocol {
  /// Its width in terminal columns.
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text shortened to a number of columns: whole words, and an ellipsis if any are missing.
  package func words(columns: Int) -> String {
    if self.columns <= columns { return String(self) }
    let part = prefix(columns: Swift.max(columns - 1, 0))
    // Languages without spaces, and single long words, are cut between two characters.
    let space = part.lastIndex(of: " ").map { part[..<$0] } ?? part
    let isLong = space.columns * 2 < columns
    return String(isLong ? part : space) + "…"
  }

  /// The text in lines of at most so many columns; at least one line, which may be empty.
  package func wrapped(columns: Int) -> [String] {
    var lines: [String] = []
    var rest = self[...]
    while rest.columns > columns {
      let part = rest.prefix(columns: Swift.max(columns, 2))
      // Languages without spaces, and single long words, are broken between two characters.
      let isWhole = rest[part.endIndex...].first == " "
      let end = isWhole ? part.endIndex : part.lastIndex(of: " ") ?? part.endIndex
      lines.append(String(rest[..<end]))
      rest = rest[end...].drop { $0 == " " }
    }
    return lines + [String(rest)]
  }

  /// The longest beginning that fits into a number of columns.
  package func prefix(columns: Int) -> SubSequence {
    var left = columns
    return prefix { character in
      left -= character.columns
      return left >= 0
    }
  }
}

extension Character {
  /// Its width in terminal columns: two for wide characters (UAX #11), such as those of East Asia,
  /// one for others.
  fileprivate var columns: Int {
    guard let scalar = unicodeScalars.first?.value, scalar >= 0x1100 else { return 1 }
    return Self.wide.contains { $0.contains(scalar) } ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
    0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd,
  ]
}
