// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import PlainText
import ToneModel

/// A tone of --add: "7k" or "7k,-28dB".
struct AddedTone: Sendable {
  /// In Hz.
  let frequency: Double
  /// In dBFS; nil: that of the first tone.
  let level: Double?

  /// The tone, which otherwise equals the first.
  func tone(like first: Tone) -> Tone {
    var tone = first
    tone.sweep = nil
    tone.frequency = frequency
    tone.level = level ?? first.level
    return tone
  }
}

extension ValueReader where Value == AddedTone {
  /// A frequency, and a level after a comma.
  static var addedTone: Self {
    Self(expected: "a frequency up to 384000 Hz and a level up to 0 dB, such as 7k,-28dB") { text in
      let parts = text.split(separator: ",", maxSplits: 1).map(String.init)
      guard let frequency = parts.first.flatMap({ Quantity.frequency().value(of: $0) }),
        (0.01...384_000).contains(frequency)
      else { return nil }
      guard parts.count == 2 else { return AddedTone(frequency: frequency, level: nil) }
      guard let level = Quantity.decibels.value(of: parts[1]), (-200...0).contains(level) else {
        return nil
      }
      return AddedTone(frequency: frequency, level: level)
    }
  }
}
