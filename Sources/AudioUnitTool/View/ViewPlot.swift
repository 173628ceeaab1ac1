// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import SignalProcessing
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// The magnitude of a unit's response, measured on a second unit with the same settings, as `au plot` does.
final class ViewPlot {
  /// The frames of the impulse response: less than `au plot` takes, so that the curve follows at once.
  private static let length = 8_192
  private static let impulseLevel: Float = 0.001

  private let run: UnitRun
  private var values: [Float] = []
  private var curve: ResponseCurve?

  /// The levels of the plot, in decibels.
  struct ResponseCurve {
    var levels: [Double]
    /// The range of the plot: at least so much as can be seen, with the highest level in it.
    var range: ClosedRange<Double>
  }

  /// [main thread] Makes the second unit; nil if such units cannot be plotted.
  init?(_ spec: UnitSpec, sampleRate: Double) {
    guard let run = try? UnitRun(spec, sampleRate: sampleRate) else { return nil }
    self.run = run
  }

  /// [main thread] The curve for the settings of a unit, with so many columns; measured again if they have changed.
  func curve(of viewed: ViewedUnit, columns: Int) -> ResponseCurve? {
    let now = viewed.values
    if let curve, now == values, curve.levels.count == columns { return curve }
    values = now
    viewed.copy(to: run.unit)
    var impulse = [Float](repeating: 0, count: Self.length)
    impulse[0] = Self.impulseLevel
    guard let output = try? run.output(of: impulse), output.allSatisfy(\.isFinite) else {
      curve = nil
      return nil
    }
    let response = output.map { Double($0) / Double(Self.impulseLevel) }
    let spectrum = ResponseSpectrum(response, latency: min(run.latency, Self.length))
    let levels = spectrum.columns(max(columns - 1, 1), from: 20, sampleRate: run.sampleRate)
      .map { max($0.level, -120) }
    let highest = levels.max() ?? 0
    let lowest = max(levels.min() ?? 0, highest - 60)
    let middle = (highest + lowest) / 2
    let half = max(highest - lowest, 12) / 2 + 1
    let made = ResponseCurve(levels: levels, range: middle - half...middle + half)
    curve = made
    return made
  }

  /// The curve as lines of a screen, with its scale.
  static func lines(_ curve: ResponseCurve, columns: Int, rows: Int) -> [Line] {
    var canvas = DotCanvas(columns: columns, rows: rows)
    let (low, high) = (curve.range.lowerBound, curve.range.upperBound)
    canvas.draw(curve.levels.map { Float(2 * ($0 - low) / (high - low) - 1) })
    return canvas.rows.enumerated().map { row, text in
      let level = row == 0 ? high : row == rows - 1 ? low : nil
      var line = Line(level.map { "\(Int(saturating: $0.rounded())) dB" } ?? "", .dim)
      line.pad(to: 8)
      line.add(text, .accent)
      return line
    }
  }
}
