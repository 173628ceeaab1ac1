// SPDX-License-Identifier: Apache-2.0
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// Reads single keys from the terminal of standard input, without their echo, until `restore`. One
/// object at a time.
final class TerminalKeys {
  /// Whether there is a terminal to read keys from, and one to write to.
  static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  nonisolated(unsafe) private static var before = termios()

  /// [control thread] Changes the terminal's mode; nil if there is no terminal.
  init?() {
    guard Self.isAvailable else { return nil }
    tcgetattr(STDIN_FILENO, &Self.before)
    var mode = Self.before
    // Keys arrive one by one and are not echoed; those that send signals still do.
    mode.c_lflag &= ~tcflag_t(clamping: ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    atexit { TerminalKeys.restore() }
  }

  deinit { Self.restore() }

  /// [control thread] Restores the terminal's mode.
  func restore() { Self.restore() }

  private static func restore() { tcsetattr(STDIN_FILENO, TCSANOW, &before) }

  /// The bytes of the keys pressed since the last call; waits for a key if there are none. Empty
  /// when the terminal is gone.
  func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }
}
