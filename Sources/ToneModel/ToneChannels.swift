// SPDX-License-Identifier: Apache-2.0

/// The names of channels, as people type them.
public enum ToneChannels {
  /// The names of the first eight channels, in the order of WAV files.
  public static let names = ["L", "R", "C", "LFE", "Ls", "Rs", "Lb", "Rb"]

  /// The numbers, from 1, of channels that are joined by plus signs: "L+R", "3", "C+ch7". Nil if one
  /// of them is no channel.
  public static func numbers(_ text: String) -> [Int]? {
    var numbers: [Int] = []
    for part in text.split(separator: "+", omittingEmptySubsequences: false) {
      let word = part.lowercased()
      if let index = names.firstIndex(where: { $0.lowercased() == word }) {
        numbers.append(index + 1)
      } else if let number = Int(word.hasPrefix("ch") ? String(word.dropFirst(2)) : word),
        (1...ToneMix.mostChannels).contains(number)
      {
        numbers.append(number)
      } else {
        return nil
      }
    }
    return Array(Set(numbers)).sorted()
  }

  /// The names or numbers of channels: "L+C".
  public static func text(_ numbers: [Int]) -> String {
    numbers.map { names.indices.contains($0 - 1) ? names[$0 - 1] : "\($0)" }.joined(separator: "+")
  }
}
