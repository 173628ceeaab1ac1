// SPDX-License-Identifier: Apache-2.0

/// A key of the keyboard.
package enum Key: Hashable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown
  case shiftUp, shiftDown, shiftLeft, shiftRight
  case controlUp, controlDown, controlShiftUp, controlShiftDown
  case enter, escape, backspace, tab
  /// Ctrl-L, which redraws the screen.
  case redraw

  /// The keys for the bytes that a terminal sends; unknown keys are skipped.
  package static func keys(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1b:
        if let key = sequence(&rest) { keys.append(key) }
      case 0x0d, 0x0a: keys.append(.enter)
      case 0x09: keys.append(.tab)
      case 0x0c: keys.append(.redraw)
      case 0x08, 0x7f: keys.append(.backspace)
      case 0x20...0x7e: keys.append(.character(Character(Unicode.Scalar(byte))))
      case 0x80...:
        // The bytes of a non-ASCII character arrive together.
        var bytes = [byte]
        while let next = rest.first, next >= 0x80 { bytes.append(rest.removeFirst()) }
        if let text = String(validating: bytes, as: UTF8.self) {
          keys += text.map(Key.character)
        }
      default: break
      }
    }
    return keys
  }

  /// Whether the last of these bytes may begin a longer sequence.
  package static func isUnfinished(_ bytes: [UInt8]) -> Bool {
    guard let escape = bytes.lastIndex(of: 0x1b) else { return false }
    let rest = bytes[(escape + 1)...]
    guard let first = rest.first else { return true }
    return (first == UInt8(ascii: "[") || first == UInt8(ascii: "O"))
      && !rest.dropFirst().contains { (0x40...0x7e).contains($0) }
  }

  /// Reads the rest of an escape sequence: `[` or `O`, digits and semicolons, and a letter or a
  /// tilde. An escape without a sequence is the Escape key.
  private static func sequence(_ rest: inout ArraySlice<UInt8>) -> Key? {
    guard let first = rest.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else {
      return .escape
    }
    rest.removeFirst()
    var text = ""
    while let byte = rest.popFirst() {
      text.append(Character(Unicode.Scalar(byte)))
      if (0x40...0x7e).contains(byte) { break }
    }
    return named[text]
  }

  private static let named: [String: Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "5~": .pageUp, "6~": .pageDown,
    "1;5A": .controlUp, "1;5B": .controlDown, "1;6A": .controlShiftUp, "1;6B": .controlShiftDown,
    "1;2A": .shiftUp, "1;2B": .shiftDown, "1;2C": .shiftRight, "1;2D": .shiftLeft,
  ]
}
