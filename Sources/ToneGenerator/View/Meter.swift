// SPDX-License-Identifier: Apache-2.0
import ToneModel

/// A level that is shown: it rises at once and falls slowly enough to be seen.
struct Meter {
  /// What lies below is drawn as silence, in dBFS.
  static let floor = -90.0
  /// Decibels by which it falls in a second.
  private static let fall = 60.0

  /// In dBFS.
  private(set) var level = -Double.infinity

  /// Follows a peak that was measured over so many seconds.
  mutating func update(_ peak: Double, seconds: Double) {
    level = max(peak, level - Self.fall * seconds)
    if level < Self.floor { level = -.infinity }
  }

  /// A bar of so many columns.
  static func bar(_ level: Double, columns: Int) -> Line {
    let part = level.isFinite ? min(max((level - floor) / -floor, 0), 1) : 0
    let eighths = Int((part * Double(columns * 8)).rounded())
    var cells = String(repeating: "█", count: eighths / 8)
    if eighths % 8 > 0 { cells.append(steps[eighths % 8]) }
    var line = Line()
    // The last six decibels, and the six before them, are where care is due.
    let yellow = Int(Double(columns) * (1 - 12 / -floor))
    let red = Int(Double(columns) * (1 - 6 / -floor))
    let filled = Array(cells)
    line.add(String(filled.prefix(yellow)), .green)
    line.add(String(filled.dropFirst(yellow).prefix(red - yellow)), .yellow)
    line.add(String(filled.dropFirst(red)), .red)
    line.add(String(repeating: "·", count: columns - filled.count), .dim)
    return line
  }

  private static let steps = Array(" ▏▎▍▌▋▊▉")
}
