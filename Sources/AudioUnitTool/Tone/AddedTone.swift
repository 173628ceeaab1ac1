// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import PlainText
import ToneModel

/// A tone of --add: "7k", "7k,-28dB" or "1k,square,R".
struct AddedTone: Sendable {
  /// In Hz.
  var frequency: Double
  /// Nil: that of the first tone, like the following.
  var level: WrittenLevel?
  var waveform: ToneWaveform?
  var channels: [Int]?

  /// The tone, which otherwise equals the first; its level is that of the first.
  func tone(like first: Tone) -> Tone {
    var tone = first
    tone.sweep = nil
    tone.frequency = frequency
    // Its frequency says that it is no file.
    tone.waveform = waveform ?? (first.waveform == .file ? .sine : first.waveform)
    tone.sound = nil
    tone.channels = channels ?? first.channels
    return tone
  }
}

extension ValueReader where Value == AddedTone {
  /// A frequency; after commas a level, a waveform and channels in any order.
  static var addedTone: Self {
    Self(
      expected:
        "a frequency up to 384000 Hz, and a level up to 0 dB, a waveform or channels, such as "
        + "7k,-28dB or 1k,square,R",
      limits: ", such as 7k,-28dB or 1k,square,R", completion: .dynamic("tone")
    ) { text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard let frequency = Quantity.frequency().value(of: parts[0]),
        (0.01...384_000).contains(frequency)
      else { return nil }
      var tone = AddedTone(frequency: frequency)
      for part in parts.dropFirst() {
        if let level = WrittenLevel(part), tone.level == nil {
          if level.unit == .peak, !(-200...0).contains(level.value) { return nil }
          tone.level = level
        } else if let waveform = ToneWaveform(rawValue: part), tone.waveform == nil {
          tone.waveform = waveform
        } else if let channels = ToneChannels.numbers(part), tone.channels == nil {
          tone.channels = channels
        } else {
          return nil
        }
      }
      return tone
    }
  }
}
