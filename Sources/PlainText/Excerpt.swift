// SPDX-License-Identifier: Apache-2.0

/// Foreign text, made safe for a message: short, and without the control characters of terminals.
///
/// A message quotes foreign names and values: keys of a file, names of devices, words of a command
/// line. They may be megabytes long, or hold characters that clear a screen.
public enum Excerpt {
  /// The maximum length of a quoted name or value, in characters.
  public static let nameLimit = 60
  /// The maximum length of a message, in characters.
  public static let messageLimit = 2_000

  /// [control thread] A name or a value in quotes: "\"cutoff\"".
  public static func quoted(_ text: some StringProtocol) -> String { "\"\(name(text))\"" }

  /// [control thread] A name or a value without quotes.
  public static func name(_ text: some StringProtocol) -> String { of(text, limit: nameLimit) }

  /// [control thread] The first names of a list, at most 20: "a, b, c and 97 more".
  public static func list(_ names: some Collection<String>) -> String {
    let shown = names.prefix(20).map { name($0) }.joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }

  /// [control thread] The first `limit` characters of a text. Characters that cannot be printed are
  /// written as numbers: "\u{1b}" becomes "\\u001b". With `keepsLines`, line ends and tabs remain.
  public static func of(
    _ text: some StringProtocol, limit: Int = messageLimit, keepsLines: Bool = false
  ) -> String {
    // Bytes are appended several times as fast as scalars.
    var excerpt: [UInt8] = []
    excerpt.reserveCapacity(min(limit, text.utf8.count))
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else {
        excerpt += Array("…".utf8)
        break
      }
      count += 1
      if !isPrinted(scalar) && !(keepsLines && (scalar == "\n" || scalar == "\t")) {
        let digits = String(scalar.value, radix: 16)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        excerpt += Array("\\u\(zeros)\(digits)".utf8)
      } else if scalar.isASCII {
        excerpt.append(UInt8(scalar.value))
      } else {
        excerpt += Array(String(scalar).utf8)
      }
    }
    return String(decoding: excerpt, as: UTF8.self)
  }

  /// Whether it is neither a control character nor one that changes the direction of the text.
  private static func isPrinted(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: false
    default: true
    }
  }
}
