// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Numbers as people write them.
enum Numbers {
  /// A number without a fraction that says nothing: 440 and not 440.0.
  static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }

  /// As for a Double, with the digits that a Float has.
  static func plain(_ number: Float) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }

  /// A number with so many digits after its point.
  static func rounded(_ number: Double, digits: Int) -> String {
    String(format: "%.\(digits)f", number)
  }

  /// A number of things: "1 channel", "2 channels".
  static func count(_ number: Int, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }
}
