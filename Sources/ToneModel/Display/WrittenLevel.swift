// SPDX-License-Identifier: Apache-2.0
import PlainText

/// A level as written: "-20", "-20dBFS", "-23dBrms", "74dBSPL", "0.1Pa", "1.23V", "4dBu".
public struct WrittenLevel: Equatable, Sendable, CustomStringConvertible {
  public let value: Double
  public let unit: LevelUnit

  /// A level.
  public init(_ value: Double, _ unit: LevelUnit = .peak) {
    self.value = value
    self.unit = unit
  }

  /// Reads a text; nil if it is not a level.
  public init?(_ text: String) {
    let plain = text.filter { !$0.isWhitespace }.lowercased()
    let found = LevelUnit.endings.first { plain.hasSuffix($0.ending) }
    let number = String(plain.dropLast(found?.ending.count ?? 0))
    guard let value = Quantity.number.value(of: number) else { return nil }
    self.init(value * (found?.factor ?? 1), found?.unit ?? .peak)
  }

  /// The peak level in dBFS; nil if it was measured outside and there is no calibration for its unit.
  public func level(_ scale: LevelScale) -> Double? { scale.level(of: value, in: unit) }

  /// The text form: "74 dB SPL".
  public var description: String {
    let number = value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    return unit == .peak ? number : "\(number) \(unit.rawValue)"
  }
}
