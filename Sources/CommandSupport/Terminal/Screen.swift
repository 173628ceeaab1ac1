// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The lines on the terminal, stored so that only changed lines are sent.
package struct Screen {
  private let terminal: Terminal
  private let hasColours: Bool
  private var shown: [Line] = []
  private var size = Terminal.Size(columns: 0, rows: 0)

  package init(_ terminal: Terminal) {
    self.terminal = terminal
    hasColours = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Makes the next drawing send all lines.
  package mutating func invalidate() { size = .init(columns: 0, rows: 0) }

  /// Shows lines from the top of the screen; false if the terminal is gone.
  package mutating func draw(_ lines: [Line], size: Terminal.Size) -> Bool {
    var sequence = ""
    if size != self.size {
      sequence += "\u{1b}[2J"
      shown = Array(repeating: Line(), count: size.rows)
      self.size = size
    }
    for row in 0..<size.rows {
      let line = lines.indices.contains(row) ? lines[row] : Line()
      guard line != shown[row] else { continue }
      shown[row] = line
      let text = line.sequence(columns: size.columns, colours: hasColours)
      sequence += "\u{1b}[\(row + 1);1H\(text)\u{1b}[0K"
    }
    if sequence.isEmpty { return true }
    // Between these two marks the terminal does not refresh, so no half-drawn screen appears.
    return terminal.write("\u{1b}[?2026h\(sequence)\u{1b}[?2026l")
  }
}
