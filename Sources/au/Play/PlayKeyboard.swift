// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The keys of a terminal, one by one, while a list is played; nothing where there is no terminal.
final class PlayKeyboard {
  /// What a key asks for.
  enum Wish: Equatable {
    case pause, quit, next, previous
    /// By so many seconds.
    case seek(Double)
  }

  /// Whether somebody can press keys.
  let isThere: Bool
  nonisolated(unsafe) private static var before = termios()

  /// [control thread] `isInput`: the standard input is sound, not a keyboard.
  init(isInput: Bool) {
    isThere = !isInput && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    guard isThere else { return }
    tcgetattr(STDIN_FILENO, &Self.before)
    var mode = Self.before
    // Keys come one by one and are not echoed; those that send signals still do.
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    atexit { PlayKeyboard.restore() }
  }

  deinit { restore() }

  /// [control thread] Gives the terminal back.
  func restore() { if isThere { Self.restore() } }

  private static func restore() { tcsetattr(STDIN_FILENO, TCSANOW, &before) }

  /// What the keys that were pressed ask for, in their order.
  func wishes() -> [Wish] {
    guard isThere else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return [] }
    return Self.wishes(Array(bytes.prefix(count)))
  }

  /// The same of the bytes that a terminal sends.
  static func wishes(_ bytes: [UInt8]) -> [Wish] {
    var wishes: [Wish] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: " "): wishes.append(.pause)
      case UInt8(ascii: "q"): wishes.append(.quit)
      case UInt8(ascii: "n"): wishes.append(.next)
      case UInt8(ascii: "p"): wishes.append(.previous)
      case 0x1b:
        guard let first = rest.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "O")
        else { continue }
        rest = rest.dropFirst()
        switch rest.popFirst() {
        case UInt8(ascii: "A"): wishes.append(.seek(60))
        case UInt8(ascii: "B"): wishes.append(.seek(-60))
        case UInt8(ascii: "C"): wishes.append(.seek(5))
        case UInt8(ascii: "D"): wishes.append(.seek(-5))
        default: break
        }
      default: break
      }
    }
    return wishes
  }
}
