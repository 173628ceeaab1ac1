// SPDX-License-Identifier: Apache-2.0

/// Dots in cells of two by four, drawn as Braille characters.
package struct DotCanvas {
  private let columnCount: Int
  private let rowCount: Int
  private var cells: [UInt8]

  package init(columns: Int, rows: Int) {
    (columnCount, rowCount) = (max(columns, 1), max(rows, 1))
    cells = Array(repeating: 0, count: columnCount * rowCount)
  }

  /// The characters of each row.
  package var rows: [String] {
    (0..<rowCount).map { row in
      String(
        String.UnicodeScalarView(
          cells[row * columnCount..<(row + 1) * columnCount].compactMap {
            Unicode.Scalar(0x2800 + UInt32($0))
          }))
    }
  }

  /// Draws a curve through points from -1 to 1, from the left edge to the right.
  package mutating func draw(_ points: [Float]) {
    guard points.count > 1 else { return }
    let (width, height) = (2 * columnCount, 4 * rowCount)
    func y(_ x: Int) -> Int {
      let place = Double(x) * Double(points.count - 1) / Double(width - 1)
      let before = min(Int(place), points.count - 2)
      let part = Float(place - Double(before))
      let value = points[before] * (1 - part) + points[before + 1] * part
      return Int(((1 - Double(min(max(value, -1), 1))) / 2 * Double(height - 1)).rounded())
    }
    var last = y(0)
    for x in 0..<width {
      let next = y(x)
      for dot in min(last, next)...max(last, next) where dot == next || x > 0 { set(x, dot) }
      last = next
    }
  }

  private mutating func set(_ x: Int, _ y: Int) {
    let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
    cells[y / 4 * columnCount + x / 2] |= bits[y % 4][x % 2]
  }
}
