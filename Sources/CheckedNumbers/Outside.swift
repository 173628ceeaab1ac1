// SPDX-License-Identifier: Apache-2.0

/// A whole number from outside: from a file, a caller or a device, or calculated from such numbers.
///
/// It has checked arithmetic only. A result that does not fit 64 bits has no value, nor has anything
/// calculated from it; so a whole formula is checked once, where its result is used. [any thread]
package struct Outside: Equatable, Sendable {
  /// The number, if it fits.
  package let value: Int?

  private init(fitting value: Int?) { self.value = value }

  /// A whole number; one beyond 63 bits has no value.
  package init(_ number: some BinaryInteger) { value = Int(exactly: number) }

  /// A number without its fraction; NaN, infinity and numbers beyond 63 bits have no value.
  package init(_ number: some BinaryFloatingPoint) {
    value = Int(exactly: Double(number).rounded(.towardZero))
  }

  // MARK: Arithmetic

  package static func + (left: Self, right: Self) -> Self {
    calculate(left, right) { $0.addingReportingOverflow($1) }
  }

  package static func - (left: Self, right: Self) -> Self {
    calculate(left, right) { $0.subtractingReportingOverflow($1) }
  }

  package static func * (left: Self, right: Self) -> Self {
    calculate(left, right) { $0.multipliedReportingOverflow(by: $1) }
  }

  /// The quotient without its fraction; none if the divisor is zero.
  package static func / (left: Self, right: Self) -> Self {
    calculate(left, right) { $0.dividedReportingOverflow(by: $1) }
  }

  package static func % (left: Self, right: Self) -> Self {
    calculate(left, right) { $0.remainderReportingOverflow(dividingBy: $1) }
  }

  package static func + (left: Self, right: Int) -> Self { left + Outside(right) }
  package static func - (left: Self, right: Int) -> Self { left - Outside(right) }
  package static func * (left: Self, right: Int) -> Self { left * Outside(right) }
  package static func / (left: Self, right: Int) -> Self { left / Outside(right) }
  package static func % (left: Self, right: Int) -> Self { left % Outside(right) }

  private static func calculate(
    _ left: Self, _ right: Self, _ operation: (Int, Int) -> (partialValue: Int, overflow: Bool)
  ) -> Self {
    guard let left = left.value, let right = right.value else { return Self(fitting: nil) }
    let result = operation(left, right)
    return Self(fitting: result.overflow ? nil : result.partialValue)
  }

  // MARK: Use

  /// The number, if it is in a range.
  package func within(_ range: ClosedRange<Int>) -> Int? {
    guard let value, range.contains(value) else { return nil }
    return value
  }

  /// The number, if it is from zero to `limit`.
  package func upTo(_ limit: Int) -> Int? {
    guard let value, value >= 0, value <= limit else { return nil }
    return value
  }

  /// The number as a count of frames, packets or bytes: nil if it is negative or does not fit.
  package var count: Int? { upTo(.max) }
}

extension FixedWidthInteger {
  /// The number without its fraction, limited to what the type can hold; NaN becomes zero.
  /// [any thread]
  @inline(__always)
  package init(saturating number: Double) {
    // `Self.max` may round up to the first number that does not fit.
    if number >= Double(Self.max) {
      self = .max
    } else if number > Double(Self.min) {
      self = Self(number)
    } else {
      self = number.isNaN ? 0 : .min
    }
  }

  /// As above.
  @inline(__always)
  package init(saturating number: Float) { self.init(saturating: Double(number)) }
}
