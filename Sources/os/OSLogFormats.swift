// SPDX-License-Identifier: Apache-2.0
import Glibc

/// How an integer is written.
public struct OSLogIntegerFormatting: Sendable {
  let radix: Int
  var minimumDigits = 0
  var hasPlus = false
  var isUppercase = false
  var hasPrefix = false

  /// Decimal.
  public static let decimal = OSLogIntegerFormatting(radix: 10)
  /// Hexadecimal, without 0x.
  public static let hex = OSLogIntegerFormatting(radix: 16)
  /// Octal, without 0o.
  public static let octal = OSLogIntegerFormatting(radix: 8)

  /// With a plus sign, and with zeros in front.
  public static func decimal(
    explicitPositiveSign: Bool = false, minDigits: @autoclosure () -> Int = 0
  ) -> OSLogIntegerFormatting {
    .init(radix: 10, minimumDigits: minDigits(), hasPlus: explicitPositiveSign)
  }

  /// With 0x in front, in capitals, and with zeros in front.
  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: @autoclosure () -> Int = 0
  ) -> OSLogIntegerFormatting {
    .init(
      radix: 16, minimumDigits: minDigits(), hasPlus: explicitPositiveSign,
      isUppercase: uppercase, hasPrefix: includePrefix)
  }

  /// With 0o in front, and with zeros in front.
  public static func octal(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: @autoclosure () -> Int = 0
  ) -> OSLogIntegerFormatting {
    .init(
      radix: 8, minimumDigits: minDigits(), hasPlus: explicitPositiveSign,
      isUppercase: uppercase, hasPrefix: includePrefix)
  }

  func text<T: FixedWidthInteger>(_ value: T) -> String {
    let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
    let zeros = String(
      repeating: "0", count: max(0, max(0, min(minimumDigits, 200)) - digits.count))
    let sign = value < 0 ? "-" : hasPlus ? "+" : ""
    let prefix =
      !hasPrefix ? "" : radix == 16 ? (isUppercase ? "0X" : "0x") : radix == 8 ? "0o" : ""
    return sign + prefix + zeros + digits
  }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
  let conversion: Character
  var precision: Int? = nil
  var hasPlus = false

  /// Six digits after the point.
  public static let fixed = OSLogFloatFormatting(conversion: "f")
  /// In hexadecimal: 0x1.8p+10.
  public static let hex = OSLogFloatFormatting(conversion: "a")
  /// With an exponent: 1.5e+03.
  public static let exponential = OSLogFloatFormatting(conversion: "e")
  /// The shorter of `fixed` and `exponential`.
  public static let hybrid = OSLogFloatFormatting(conversion: "g")

  /// With so many digits after the point.
  public static func fixed(
    precision: @autoclosure () -> Int = 6, explicitPositiveSign: Bool = false,
    uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    .init(conversion: uppercase ? "F" : "f", precision: precision(), hasPlus: explicitPositiveSign)
  }

  /// With so many digits after the point.
  public static func exponential(
    precision: @autoclosure () -> Int = 6, explicitPositiveSign: Bool = false,
    uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    .init(conversion: uppercase ? "E" : "e", precision: precision(), hasPlus: explicitPositiveSign)
  }

  /// With so many digits in all.
  public static func hybrid(
    precision: @autoclosure () -> Int = 6, explicitPositiveSign: Bool = false,
    uppercase: Bool = false
  ) -> OSLogFloatFormatting {
    .init(conversion: uppercase ? "G" : "g", precision: precision(), hasPlus: explicitPositiveSign)
  }

  func text(_ value: Double) -> String {
    var format = hasPlus ? "%+" : "%"
    // A limit, because the precision may be computed.
    if let precision { format += "." + String(max(0, min(precision, 100))) }
    format.append(conversion)
    var text = [CChar](repeating: 0, count: 512)
    withVaList([value]) { _ = vsnprintf(&text, text.count, format, $0) }
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}

/// How a truth value is written.
public enum OSLogBoolFormat: Sendable {
  /// true or false.
  case truth
  /// yes or no.
  case answer
}

/// How a pointer is written.
public enum OSLogPointerFormat: Sendable {
  /// 0x and its digits.
  case hex
  /// Its digits.
  case none
}
