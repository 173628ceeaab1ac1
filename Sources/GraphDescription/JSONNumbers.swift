// SPDX-License-Identifier: Apache-2.0

/// Formats numbers for JSON.
enum JSONNumbers {
  /// The shortest number that reads back as this one.
  static func shortest(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }

  /// A number without a needless fraction.
  static func plain(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }
}
