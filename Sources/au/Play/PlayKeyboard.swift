// SPDX-License-Identifier: Apache-2.0
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// Reads single keys from a terminal while a list plays; reads nothing if there is no terminal.
final class PlayKeyboard {
  /// The action of a key.
  enum Action: Equatable {
    case pause, quit, next, previous
    /// By a number of seconds.
    case seek(Double)
  }

  /// Whether there is a terminal to read keys from.
  let isAvailable: Bool
  nonisolated(unsafe) private static var before = termios()

  /// [control thread] With `isInput`, standard input is the sound and not a keyboard.
  init(isInput: Bool) {
    isAvailable = !isInput && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    guard isAvailable else { return }
    tcgetattr(STDIN_FILENO, &Self.before)
    var mode = Self.before
    // Keys arrive one by one and are not echoed; those that send signals still do.
    mode.c_lflag &= ~tcflag_t(clamping: ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    atexit { PlayKeyboard.restore() }
  }

  deinit { restore() }

  /// [control thread] Restores the terminal's mode.
  func restore() { if isAvailable { Self.restore() } }

  private static func restore() { tcsetattr(STDIN_FILENO, TCSANOW, &before) }

  /// The actions of the keys pressed since the last call, in order.
  func actions() -> [Action] {
    guard isAvailable else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return [] }
    return Self.actions(Array(bytes.prefix(count)))
  }

  /// The actions of the bytes that a terminal sends.
  static func actions(_ bytes: [UInt8]) -> [Action] {
    var actions: [Action] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: " "): actions.append(.pause)
      case UInt8(ascii: "q"): actions.append(.quit)
      case UInt8(ascii: "n"): actions.append(.next)
      case UInt8(ascii: "p"): actions.append(.previous)
      case 0x1b:
        guard let first = rest.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "O")
        else { continue }
        rest = rest.dropFirst()
        switch rest.popFirst() {
        case UInt8(ascii: "A"): actions.append(.seek(60))
        case UInt8(ascii: "B"): actions.append(.seek(-60))
        case UInt8(ascii: "C"): actions.append(.seek(5))
        case UInt8(ascii: "D"): actions.append(.seek(-5))
        default: break
        }
      default: break
      }
    }
    return actions
  }
}
