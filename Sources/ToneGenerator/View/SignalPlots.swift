// SPDX-License-Identifier: Apache-2.0
import CommandSupport
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
