// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText
@_spi(TrappingConversions) import CheckedNumbers

/// A key of a keyboard: a number from 0 to 127, of which 60 is C4 and 69 is A4.
enum MIDIKey {
  private static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

  /// The name of a key: "C4".
  static func name(_ number: UInt8) -> String {
    names[Int(number) % 12] + "\(Int(number) / 12 - 1)"
  }

  /// The key with a number or a name; nil if there is none.
  static func number(of text: String) -> UInt8? {
    if let number = UInt8(text) { return number < 128 ? number : nil }
    guard text.first?.isLetter == true, let frequency = Quantity.frequency().value(of: text) else {
      return nil
    }
    return (0..<128).first { abs(440 * pow(2, (Double($0) - 69) / 12) / frequency - 1) < 1e-6 }
  }
}
