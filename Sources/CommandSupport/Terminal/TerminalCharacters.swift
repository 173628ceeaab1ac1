// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The characters that the terminal can show: Unicode, or ASCII if the locale demands it
/// (`LC_ALL=C`). Without any locale, Unicode is assumed.
enum TerminalCharacters {
  /// Whether the environment names a locale without Unicode.
  static let areASCII: Bool = {
    let environment = ProcessInfo.processInfo.environment
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].map { environment[$0, default: ""] }
    guard let name = names.first(where: { !$0.isEmpty })?.lowercased() else { return false }
    if name.contains("utf-8") || name.contains("utf8") { return false }
    // For a name without a character set, the system knows it.
    return String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8"
  }()

  /// A text in ASCII; characters of drawings keep their width.
  static func ascii(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.map { character -> String in
      if character.isASCII { return String(character) }
      if let plain = plain[character] { return plain }
      guard let scalar = character.unicodeScalars.first?.value else { return "?" }
      return (0x2800...0x28ff).contains(scalar) ? String(dots(UInt8(scalar - 0x2800))) : "?"
    }.joined()
  }

  private static let plain: [Character: String] = [
    "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": "=", "▍": "=", "▎": "-", "▏": "-",
    "▁": ".", "▂": ".", "▃": ":", "▄": ":", "▅": "|", "▆": "|", "▇": "#",
    "─": "-", "┼": "+", "·": ".", "▶": ">", "■": "#", "←": "Left", "→": "Right", "↑": "Up",
    "↓": "Down",
    "♯": "#", "−": "-", "°": " deg", "“": "\"", "”": "\"", "…": "...", "∞": "inf", "×": "x",
  ]

  /// The ASCII character most similar to a Braille cell.
  private static func dots(_ cell: UInt8) -> Character {
    func count(_ bits: UInt8) -> Int { (cell & bits).nonzeroBitCount }
    let (upper, middle, lower) = (count(0x09), count(0x36), count(0xc0))
    if cell == 0 { return " " }
    if upper > 0, lower > 0 { return "|" }
    if middle >= upper, middle >= lower { return "-" }
    return upper > lower ? "'" : "."
  }
}
