// SPDX-License-Identifier: Apache-2.0
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// A terminal line that is rewritten in place; nothing if standard error is not a terminal.
struct LiveLine {
  let isShown: Bool
  private var next = ContinuousClock.now
  private var hasWritten = false

  init(isShown: Bool) { self.isShown = isShown && isatty(STDERR_FILENO) == 1 }

  /// Rewrites the line, at most four times a second.
  mutating func show(_ text: () -> String?) {
    guard isShown, ContinuousClock.now >= next, let text = text() else { return }
    next = .now + .milliseconds(250)
    hasWritten = true
    write("\r\u{1B}[K" + text)
  }

  /// Clears the line.
  func clear() { if hasWritten { write("\r\u{1B}[K") } }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// The progress of a job that takes longer than a second, on a terminal only.
struct Progress {
  private var line = LiveLine(isShown: true)
  private let begin = ContinuousClock.now

  /// Shows the frames done as a share of all.
  mutating func show(_ done: Int, of count: Int) { show(Double(done) / Double(max(count, 1))) }

  /// Shows a share, 0...1.
  mutating func show(_ share: Double) {
    guard line.isShown, ContinuousClock.now - begin > .seconds(1) else { return }
    line.show { "\(Int(saturating: 100 * max(share, 0))) %" }
  }

  /// Clears the line.
  func clear() { line.clear() }
}
