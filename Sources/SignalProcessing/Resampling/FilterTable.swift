// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The coefficients of a converter: a row of taps for each phase between two input frames.
///
/// Converters of the same ratio and quality share one table, which goes when the last of them does.
final class FilterTable: @unchecked Sendable {
  /// What a table depends on.
  struct Key: Hashable {
    /// Input rate divided by output rate; the exact form of it decides the rows.
    let ratio: Double
    let quality: SampleRateConverter.Quality
    /// Number of rows in a table for exact phases, or nil for one to interpolate in.
    let phaseCount: Int?
  }

  /// Coefficients per row, a multiple of 16.
  let taps: Int
  /// Rows per input frame.
  let divisions: Int
  /// The rows; where they are to be interpolated, one more before and two after.
  let coefficients: UnsafePointer<Float>

  private static let shared = Mutex<[Key: Weak]>([:])

  private struct Weak {
    weak var table: FilterTable?
  }

  /// Finds or makes the table for `key`. [control thread]
  static func table(for key: Key) -> FilterTable {
    if let table = shared.withLock({ $0[key]?.table }) { return table }
    // Made outside the lock: a large one takes milliseconds.
    let table = FilterTable(key)
    return shared.withLock { tables in
      if let earlier = tables[key]?.table { return earlier }
      tables = tables.filter { $0.value.table != nil }
      tables[key] = Weak(table: table)
      return table
    }
  }

  /// Taps of a filter for `ratio`: so many frames of the lower rate, counted in input frames.
  static func taps(ratio: Double, quality: SampleRateConverter.Quality) -> Int {
    let taps = Double(quality.taps) * max(1, ratio)
    return (Int(taps.rounded(.up)) + 15) / 16 * 16
  }

  private init(_ key: Key) {
    let quality = key.quality
    taps = Self.taps(ratio: key.ratio, quality: quality)
    let lowerRate = 1 / max(1, key.ratio)
    divisions =
      key.phaseCount ?? max(4, Int((Double(quality.divisions) * lowerRate).rounded(.up)))
    let rows = key.phaseCount == nil ? -1..<divisions + 2 : 0..<divisions
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: rows.count * taps)
    coefficients = UnsafePointer(memory)

    let window = KaiserWindow(attenuation: quality.attenuation)
    let reach = Double(taps / 2)
    // Shut exactly at half the lower rate: half a transition below it lies the cut-off.
    let transition = KaiserWindow.transition(attenuation: quality.attenuation, taps: taps)
    let cutoff = lowerRate - transition / 2
    var row = [Double](repeating: 0, count: taps)
    for (index, phase) in rows.enumerated() {
      let centre = reach - 1 + Double(phase) / Double(divisions)
      for tap in 0..<taps {
        let time = Double(tap) - centre
        row[tap] = KaiserWindow.sinc(time * cutoff) * window(time / reach)
      }
      // Every phase passes a constant at exactly one.
      let sum = row.reduce(0, +)
      for tap in 0..<taps { memory[index * taps + tap] = Float(row[tap] / sum) }
    }
  }

  deinit { coefficients.deallocate() }
}
