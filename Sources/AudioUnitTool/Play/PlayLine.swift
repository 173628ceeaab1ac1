// SPDX-License-Identifier: Apache-2.0
import Foundation
import PlainText
@_spi(TrappingConversions) import CheckedNumbers

/// The status of a list that plays: on a terminal one line with a progress bar, elsewhere a line
/// for each file.
struct PlayLine {
  /// The values to show.
  struct State {
    var position: Double
    /// Nil if unknown.
    var length: Double?
    var title: String
    var number: Int
    var count: Int
    var isPaused: Bool
  }

  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var hasWritten = false
  private var shownNumber = 0

  /// Shows the status.
  mutating func show(_ state: State) {
    guard isTerminal else {
      if state.number != shownNumber {
        let title = Excerpt.of(state.title, limit: 200)
        let number = state.count > 1 ? " (\(state.number) of \(state.count))" : ""
        let length = state.length.map { ": \(Self.time($0))" } ?? ""
        write("\(title)\(number)\(length)\n")
      }
      shownNumber = state.number
      return
    }
    hasWritten = true
    write("\r\u{1B}[K" + Self.text(state, columns: Self.columns))
  }

  /// Clears the line.
  mutating func clear() {
    if hasWritten { write("\r\u{1B}[K") }
    hasWritten = false
  }

  /// The line for a number of columns: the times and the bar first, then as much of the title as
  /// fits.
  static func text(_ state: State, columns: Int) -> String {
    let times = time(state.position) + (state.length.map { " / \(time($0))" } ?? "")
    let head = (state.isPaused ? "|| " : " > ") + times
    let number = state.count > 1 ? " \(state.number)/\(state.count)" : ""
    let room = columns - 1 - head.count - number.count
    guard room >= 8 else { return String((head + number).prefix(max(columns - 1, 0))) }
    let width = min(max(room / 2 - 3, 5), 40)
    let length = state.length ?? 0
    let part = length > 0 ? min(state.position / length, 1) : 0
    let filled = Int(saturating: (part * Double(width)).rounded())
    let bar =
      state.length == nil
      ? ""
      : " [" + String(repeating: "=", count: filled) + String(repeating: "-", count: width - filled)
        + "]"
    let name = Excerpt.of(URL(fileURLWithPath: state.title).lastPathComponent, limit: 200)
    return head + bar + number + String(" \(name)".prefix(max(room - bar.count, 0)))
  }

  /// Seconds as a time: 3:07, 1:02:03.
  static func time(_ seconds: Double) -> String {
    let whole = Int(saturating: max(seconds, 0))
    let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
    let tail = (rest < 10 ? "0" : "") + "\(rest)"
    guard hours > 0 else { return "\(minutes):\(tail)" }
    return "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes):\(tail)"
  }

  private static var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(clamping: TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
