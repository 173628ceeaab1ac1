// SPDX-License-Identifier: Apache-2.0

/// What a mistyped word may mean.
public enum NearWords {
  /// How many words a question lists.
  private static let limit = 3

  /// [any thread] The question that follows what is wrong.
  ///
  /// - Parameters:
  ///   - word: The mistyped word.
  ///   - words: Those that there are, the usual ones first.
  ///   - quoted: How the question shows a word.
  /// - Returns: Such as "; did you mean lowpass or hipass?"; empty if no word is similar.
  public static func question(
    for word: String, in words: [String], quoted: (String) -> String = { $0 }
  ) -> String {
    let found = near(to: word, in: words).map(quoted)
    guard let last = found.last else { return "" }
    let others = found.dropLast().joined(separator: ", ")
    return "; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }

  /// [any thread] At most three words that begin with a mistyped one, or else contain it, or else the one
  /// at the smallest edit distance.
  public static func near(to word: String, in words: [String]) -> [String] {
    var seen: Set<String> = []
    let words = words.filter { seen.insert($0).inserted }
    let beginning = words.filter { $0.hasPrefix(word) && !word.isEmpty }
    if !beginning.isEmpty { return Array(beginning.prefix(limit)) }
    // Shorter ones are in too many words by chance.
    let containing = word.count >= 4 ? words.filter { $0.contains(word) } : []
    if !containing.isEmpty { return Array(containing.prefix(limit)) }
    let nearest = words.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    guard let (best, distance) = nearest, distance <= max(1, word.count / 3) else { return [] }
    return [best]
  }

  /// The edit distance between two words, where two letters that are swapped count once (optimal string
  /// alignment).
  private static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var rows = [Array(0...second.count)]
    for (index, letter) in first.enumerated() {
      var row = [index + 1]
      for column in second.indices {
        var best = rows[index][column] + (second[column] == letter ? 0 : 1)
        best = min(best, row[column] + 1, rows[index][column + 1] + 1)
        if index > 0, column > 0, letter == second[column - 1], first[index - 1] == second[column] {
          best = min(best, rows[index - 1][column - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[first.count][second.count]
  }
}
