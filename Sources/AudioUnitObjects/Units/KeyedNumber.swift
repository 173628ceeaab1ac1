// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Numbers as programs pass them to `setValue(_:forKey:)`.
enum KeyedNumber {
  /// The number that a value is; nil if it is none.
  static func of(_ value: Any?) -> NSNumber? {
    switch value {
    case let number as NSNumber: number
    case let number as Bool: NSNumber(value: number)
    case let number as any BinaryInteger: NSNumber(value: Int(clamping: number))
    case let number as any BinaryFloatingPoint: NSNumber(value: Double(number))
    default: nil
    }
  }
}
