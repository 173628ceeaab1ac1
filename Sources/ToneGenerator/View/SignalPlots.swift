// SPDX-License-Identifier: Apache-2.0
import Foundation
import ToneModel

/// Plots of the output: curves of the last frames, and their spectrum.
struct SignalPlots {
  /// The kind of plot.
  enum Kind: CaseIterable {
    case scope, spectrum, nothing
  }

  /// Points of the left channel and, if it differs, of the right, from -1 to 1.
  var left: [Float] = []
  var right: [Float] = []
  /// In dBFS, one per column.
  var levels: [Double] = []

  /// Both channels as dotted curves, `columns` wide and `rows` high.
  func scope(columns: Int, rows: Int) -> [Line] {
    var canvas = DotCanvas(columns: columns, rows: rows)
    for points in [right, left] { canvas.draw(points) }
    if left.isEmpty { canvas.draw(Array(repeating: 0, count: 2)) }
    return canvas.rows.map { Line($0, left.isEmpty ? .dim : .accent) }
  }

  /// The spectrum as bars.
  func spectrum(columns: Int, rows: Int) -> [Line] {
    let steps = Array(" ▁▂▃▄▅▆▇█")
    return (0..<rows).map { row in
      let text = levels.prefix(columns).map { level -> Character in
        let height = (1 - level / SpectrumAnalyzer.floor) * Double(rows * 8)
        let eighths = Int(height.rounded()) - (rows - 1 - row) * 8
        return steps[min(max(eighths, 0), 8)]
      }
      return Line(String(text), .accent)
    }
  }
}

/// Dots in cells of two by four, drawn as Braille characters.
struct DotCanvas {
  private let columnCount: Int
  private let rowCount: Int
  private var cells: [UInt8]

  init(columns: Int, rows: Int) {
    (columnCount, rowCount) = (max(columns, 1), max(rows, 1))
    cells = Array(repeating: 0, count: columnCount * rowCount)
  }

  /// The characters of each row.
  var rows: [String] {
    (0..<rowCount).map { row in
      String(
        String.UnicodeScalarView(
          cells[row * columnCount..<(row + 1) * columnCount].compactMap {
            Unicode.Scalar(0x2800 + UInt32($0))
          }))
    }
  }

  /// Draws a curve through points from -1 to 1, from the left edge to the right.
  mutating func draw(_ points: [Float]) {
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
