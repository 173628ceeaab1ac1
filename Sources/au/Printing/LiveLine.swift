// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A line of the terminal that is written over and over; nothing where standard error is no terminal.
struct LiveLine {
  let isShown: Bool
  private var next = ContinuousClock.now
  private var hasWritten = false

  init(isShown: Bool) { self.isShown = isShown && isatty(STDERR_FILENO) == 1 }

  /// Writes it anew, four times a second however often this is called.
  mutating func show(_ text: () -> String?) {
    guard isShown, ContinuousClock.now >= next, let text = text() else { return }
    next = .now + .milliseconds(250)
    hasWritten = true
    write("\r\u{1B}[K" + text)
  }

  /// Leaves the line empty.
  func clear() { if hasWritten { write("\r\u{1B}[K") } }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// How far a rendering is, on a terminal, when it takes longer than a second; nothing in a pipe.
struct Progress {
  private var line = LiveLine(isShown: true)
  private let begin = ContinuousClock.now

  /// Shows how many frames of all are done.
  mutating func show(_ done: Int, of count: Int) {
    guard line.isShown, ContinuousClock.now - begin > .seconds(1) else { return }
    line.show { "\(100 * max(done, 0) / max(count, 1)) %" }
  }

  /// Leaves the line empty.
  func clear() { line.clear() }
}
