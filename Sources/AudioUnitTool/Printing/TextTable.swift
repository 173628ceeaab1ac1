// SPDX-License-Identifier: Apache-2.0

/// Rows of text with aligned columns, plain enough for a program to read.
struct TextTable {
  private var rows: [[String]]
  private let indent: String

  /// A table with a row of headings, or without.
  init(_ headings: [String] = [], indent: Int = 0) {
    rows = headings.isEmpty ? [] : [headings]
    self.indent = String(repeating: " ", count: indent)
  }

  /// Adds a row.
  mutating func add(_ cells: String...) { rows.append(cells) }

  /// Adds a row.
  mutating func add(cells: [String]) { rows.append(cells) }

  /// The terminal cells of a text: emoji and the characters of East Asia take two.
  private static func width(_ text: String) -> Int {
    // Most texts are plain, and looking up what characters are takes long.
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.utf8.count }
    return text.reduce(0) { sum, character in
      guard let first = character.unicodeScalars.first else { return sum }
      let isPicture =
        first.properties.isEmojiPresentation
        || character.unicodeScalars.contains { $0.value == 0xFE0F }
      return sum + (isPicture || wide.contains { $0.contains(first.value) } ? 2 : 1)
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]

  /// The lines, without trailing spaces.
  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.compactMap { $0.indices.contains(column) ? Self.width($0[column]) : nil }.max() ?? 0
    }
    let spaces = String(repeating: " ", count: widths.reduce(0) { $0 + $1 + 2 })
    return rows.reduce(into: "") { text, row in
      text += indent
      var missing = 0
      for (cell, width) in zip(row, widths) {
        if !cell.isEmpty {
          text += spaces[..<spaces.utf8.index(spaces.startIndex, offsetBy: missing)]
          text += cell
          missing = 0
        }
        missing += width - Self.width(cell) + 2
      }
      while text.utf8.last == UInt8(ascii: " ") { text.removeLast() }
      text += "\n"
    }
  }
}
