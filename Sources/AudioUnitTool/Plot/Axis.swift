// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// One axis of a panel: where values lie, and which are marked.
struct Axis {
  /// A grid line at a value; with an empty text it is fainter.
  struct Mark {
    let value: Double
    let text: String
  }

  let range: ClosedRange<Double>
  let marks: [Mark]
  /// The quantity, with its unit.
  let title: String
  let isLogarithmic: Bool

  /// The position of a value from 0 to 1; values outside the range are put at its ends.
  func place(_ value: Double) -> Double {
    let low = isLogarithmic ? log(range.lowerBound) : range.lowerBound
    let high = isLogarithmic ? log(range.upperBound) : range.upperBound
    let number = isLogarithmic ? log(max(value, range.lowerBound)) : value
    return min(max((number - low) / (high - low), 0), 1)
  }

  /// A logarithmic axis of frequency.
  static func frequency(_ range: ClosedRange<Double>) -> Axis {
    var marks: [Mark] = []
    for decade in [1.0, 10, 100, 1_000, 10_000, 100_000] {
      for digit in 1...9 where range.contains(decade * Double(digit)) {
        let value = decade * Double(digit)
        let isWritten = [1, 2, 5].contains(digit)
        let text = value >= 1_000 ? "\(Numbers.plain(value / 1_000)) k" : Numbers.plain(value)
        marks.append(Mark(value: value, text: isWritten ? text : ""))
      }
    }
    return Axis(range: range, marks: marks, title: "Hz", isLogarithmic: true)
  }

  /// An axis with round steps, about as many as requested; with `grows` the range is extended to
  /// whole steps.
  static func linear(
    _ title: String, _ range: ClosedRange<Double>, steps: Int = 6, grows: Bool = true
  ) -> Axis {
    let rough = (range.upperBound - range.lowerBound) / Double(steps)
    let power = pow(10, floor(log10(max(rough, 1e-12))))
    let step = power * ([1, 2, 5, 10].first { $0 * power >= rough * 0.999 } ?? 10)
    let first = (range.lowerBound / step - 1e-9).rounded(grows ? .down : .up)
    let last = (range.upperBound / step + 1e-9).rounded(grows ? .up : .down)
    let digits = max(0, Int(saturating: -floor(log10(step) + 1e-9)))
    let marks = stride(from: first, through: last, by: 1).map { index in
      Mark(value: index * step, text: Numbers.rounded(index * step + 0, digits: digits))
    }
    let ends = grows ? first * step...max(last * step, first * step + step) : range
    return Axis(range: ends, marks: marks, title: title, isLogarithmic: false)
  }
}
