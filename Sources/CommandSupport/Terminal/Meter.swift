// SPDX-License-Identifier: Apache-2.0
/// A displayed level: it rises immediately and falls slowly enough to be read.
package struct Meter {
  /// Lower levels are drawn as silence, in dBFS.
  package static let floor = -90.0
  /// Its fall in decibels per second.
  private static let fall = 60.0

  /// In dBFS.
  package private(set) var level = -Double.infinity

  /// At silence.
  package init() {}

  /// Updates the level from a peak measured over a number of seconds.
  package mutating func update(_ peak: Double, seconds: Double) {
    level = max(peak, level - Self.fall * seconds)
    if level < Self.floor { level = -.infinity }
  }

  /// A level as a bar of a number of columns.
  package static func bar(_ level: Double, columns: Int) -> Line {
    let part = level.isFinite ? min(max((level - floor) / -floor, 0), 1) : 0
    let eighths = Int((part * Double(columns * 8)).rounded())
    var cells = String(repeating: "█", count: eighths / 8)
    if eighths % 8 > 0 { cells.append(steps[eighths % 8]) }
    var line = Line()
    // The last six decibels are red, the six before them yellow.
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
