// SPDX-License-Identifier: Apache-2.0

/// Rows of text whose columns are aligned; plain enough to be read by a program.
struct TextTable {
  private var rows: [[String]]
  private let indent: String

  /// A table with a row of headings, or none.
  init(_ headings: [String] = [], indent: Int = 0) {
    rows = headings.isEmpty ? [] : [headings]
    self.indent = String(repeating: " ", count: indent)
  }

  /// Adds a row.
  mutating func add(_ cells: String...) { rows.append(cells) }

  /// The lines, without spaces at their ends.
  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0
    }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      var line = Substring(indent + cells.joined(separator: "  "))
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
