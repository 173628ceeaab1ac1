// SPDX-License-Identifier: Apache-2.0

/// Digits five rows high.
enum BigDigits {
  /// The rows of a number.
  static let rowCount = 5

  /// The rows of a number; each dot of a digit is `width` columns wide.
  static func rows(_ text: String, width: Int) -> [String] {
    (0..<rowCount).map { row in
      text.map { character in
        (patterns[character] ?? blank)[row].map {
          String(repeating: $0 == "#" ? "█" : " ", count: width)
        }.joined()
      }.joined(separator: " ")
    }
  }

  /// The width of a number in columns.
  static func columns(_ text: String, width: Int) -> Int {
    rows(text, width: width).first?.count ?? 0
  }

  /// Whether all characters of a text have large forms.
  static func canShow(_ text: String) -> Bool { text.allSatisfy { patterns[$0] != nil } }

  private static let patterns: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"],
    "1": [" # ", "## ", " # ", " # ", "###"],
    "2": ["###", "  #", "###", "#  ", "###"],
    "3": ["###", "  #", " ##", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"],
    "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"],
    "7": ["###", "  #", "  #", " # ", " # "],
    "8": ["###", "# #", "###", "# #", "###"],
    "9": ["###", "# #", "###", "  #", "###"],
    ".": [" ", " ", " ", " ", "#"],
  ]

  private static let blank = [String](repeating: "   ", count: rowCount)
}
