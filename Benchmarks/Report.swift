// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Prints the measurements, one per line: first those of this library, then those of its peers with
/// their ratio to it.
enum Report {
  /// Begins a group of related measurements, with the current speed of the processor.
  static func title(_ text: String) {
    print("\n\(text)")
    own("yardstick: square an integer and add, in turn", Stopwatch.yardstick, "ns")
  }

  /// A measurement of this library; `target` is its limit.
  static func own(_ name: String, _ value: Double, _ unit: String, target: Double? = nil) {
    var line = column(name) + figure(value) + " " + unit
    if let target {
      line += "   target \(figure(target).trimmingCharacters(in: .whitespaces))"
      line += value <= target ? "" : "  (missed)"
    }
    print(line)
  }

  /// A measurement of a peer, compared with ours.
  static func peer(_ name: String, _ value: Double?, _ unit: String, ours: Double) {
    guard let value else { return print(column(name) + "not installed") }
    let ratio = String(format: "%.1f", value / ours)
    print(column(name) + figure(value) + " \(unit)   \(ratio) times ours")
  }

  /// A table in the form of the documents: the names of its columns, and rows that begin with their
  /// own name.
  static func table(_ title: String, _ columns: [String], _ rows: [[String]]) {
    print("\n\(title)\n")
    for row in [[""] + columns, ["---"] + columns.map { _ in "---" }] + rows {
      print("| " + row.joined(separator: " | ") + " |")
    }
  }

  /// A time in a table.
  static func cell(_ time: Double?) -> String {
    guard let time else { return "" }
    return String(format: time < 1 ? "%.2f" : time < 10 ? "%.1f" : "%.0f", time)
  }

  /// A peer's time in a table, as a multiple of ours.
  static func multiple(_ time: Double?, of ours: Double?) -> String {
    guard let time, let ours else { return "" }
    return String(format: time < 9.95 * ours ? "× %.1f" : "× %.0f", time / ours)
  }

  /// A remark about the lines before.
  static func note(_ text: String) { print("  " + text) }

  private static func column(_ name: String) -> String {
    "  " + name.padding(toLength: 56, withPad: " ", startingAt: 0)
  }

  private static func figure(_ value: Double) -> String {
    let digits = value < 10 ? 3 : value < 100 ? 1 : 0
    let text = String(format: "%.\(digits)f", value)
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
  }
}
