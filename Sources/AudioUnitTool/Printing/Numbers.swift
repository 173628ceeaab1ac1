// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Numbers formatted for reading.
enum Numbers {
  /// A number without an empty fraction: 440 and not 440.0.
  static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(saturating: number))" : "\(number)"
  }

  /// As for a Double, with the digits of a Float.
  static func plain(_ number: Float) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(saturating: number))" : "\(number)"
  }

  /// A number with this many decimal places.
  static func rounded(_ number: Double, digits: Int) -> String {
    String(format: "%.\(digits)f", number)
  }

  /// A number with at most this many decimal places: "7.5", not "7.50".
  static func short(_ number: Double, digits: Int) -> String {
    let scale = pow(10, Double(digits))
    return plain((number * scale).rounded() / scale)
  }

  /// A count with its noun: "1 channel", "2 channels".
  static func count(_ number: Int, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }
}
