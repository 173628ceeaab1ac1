// SPDX-License-Identifier: Apache-2.0

/// The parts of a message of `Logger`.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  /// The text so far, without private values.
  var text = ""

  /// [any thread] An empty message, for the compiler.
  public init(literalCapacity: Int, interpolationCount: Int) {
    text.reserveCapacity(literalCapacity + 16 * interpolationCount)
  }

  /// Text between values. [any thread]
  public mutating func appendLiteral(_ literal: String) { text += literal }

  private mutating func append(
    _ value: String, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy, isText: Bool
  ) {
    text += align.aligned(privacy.shown(value, isText: isText))
  }

  /// A text; private unless `privacy` is `.public`. [any thread]
  public mutating func appendInterpolation(
    _ argumentString: @autoclosure () -> String, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(argumentString(), align, privacy, isText: true)
  }

  /// A value that describes itself; private unless `privacy` is `.public`. [any thread]
  // Numbers describe themselves, too, but have functions of their own.
  @_disfavoredOverload
  public mutating func appendInterpolation<T: CustomStringConvertible>(
    _ value: @autoclosure () -> T, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(value().description, align, privacy, isText: true)
  }

  /// An error; private unless `privacy` is `.public`. [any thread]
  public mutating func appendInterpolation(
    _ error: @autoclosure () -> any Error, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(String(describing: error()), align, privacy, isText: true)
  }

  /// The name of a type. [any thread]
  public mutating func appendInterpolation(
    _ type: @autoclosure () -> Any.Type, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    append(String(describing: type()), align, privacy, isText: false)
  }

  /// An integer; public unless `privacy` hides it. [any thread]
  public mutating func appendInterpolation<T: FixedWidthInteger>(
    _ number: @autoclosure () -> T, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(format.text(number()), align, privacy, isText: false)
  }

  /// A number; public unless `privacy` hides it. [any thread]
  public mutating func appendInterpolation(
    _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(format.text(Double(number())), align, privacy, isText: false)
  }

  /// A number; public unless `privacy` hides it. [any thread]
  public mutating func appendInterpolation(
    _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(format.text(number()), align, privacy, isText: false)
  }

  /// A truth value; public unless `privacy` hides it. [any thread]
  public mutating func appendInterpolation(
    _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth,
    privacy: OSLogPrivacy = .auto
  ) {
    let value = boolean()
    let word = format == .truth ? String(value) : value ? "yes" : "no"
    append(word, .none, privacy, isText: false)
  }

  /// An address; public unless `privacy` hides it. [any thread]
  public mutating func appendInterpolation(
    _ pointer: @autoclosure () -> UnsafeRawPointer, format: OSLogPointerFormat = .hex,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    let digits = String(UInt(bitPattern: pointer()), radix: 16)
    append(format == .hex ? "0x" + digits : digits, align, privacy, isText: false)
  }
}
