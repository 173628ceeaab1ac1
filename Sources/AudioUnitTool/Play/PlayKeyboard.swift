// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Glibc

/// Reads single keys from a terminal while a list plays; reads nothing if there is no terminal.
final class PlayKeyboard {
  /// The action of a key.
  enum Action: Equatable {
    case pause, quit, next, previous
    /// By a number of seconds.
    case seek(Double)
  }

  private let keys: TerminalKeys?

  /// [control thread] With `isInput`, standard input is the sound and not a keyboard.
  init(isInput: Bool) { keys = isInput ? nil : TerminalKeys() }

  /// Whether there is a terminal to read keys from.
  var isAvailable: Bool { keys != nil }

  /// [control thread] Restores the terminal's mode.
  func restore() { keys?.restore() }

  /// [control thread] Waits for keys, at most 50 ms, and returns their actions, in order. A signal ends
  /// the process, after `clear`.
  func wait(or signals: Signals, clear: () -> Void) -> [Action] {
    var descriptors = [pollfd(fd: signals.descriptor, events: Int16(clamping: POLLIN), revents: 0)]
    if isAvailable {
      descriptors.append(pollfd(fd: STDIN_FILENO, events: Int16(clamping: POLLIN), revents: 0))
    }
    poll(&descriptors, nfds_t(clamping: descriptors.count), 50)
    if let signal = signals.next() {
      clear()
      restore()
      Signals.endProcess(by: signal)
    }
    guard descriptors.count > 1, descriptors[1].revents != 0 else { return [] }
    return Self.actions(keys?.read() ?? [])
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
