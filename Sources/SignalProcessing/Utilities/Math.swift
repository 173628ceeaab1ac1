// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The C library's mathematical functions.
///
/// The compiler cannot check libm. None of these functions allocates, locks or waits; this is the
/// only file that asserts it.
public enum Math {
  /// Sine of an angle in radians. [any thread]
  @_semantics("no_performance_analysis")
  public static func sine(_ angle: Double) -> Double { sin(angle) }

  /// Cosine of an angle in radians. [any thread]
  @_semantics("no_performance_analysis")
  public static func cosine(_ angle: Double) -> Double { cos(angle) }

  /// Tangent of an angle in radians. [any thread]
  @_semantics("no_performance_analysis")
  public static func tangent(_ angle: Double) -> Double { tan(angle) }

  /// Square root: an instruction of every processor, exact to the last bit. [any thread]
  @_semantics("no_performance_analysis") @inline(__always)
  public static func squareRoot(_ value: Double) -> Double { value.squareRoot() }

  /// Natural exponential. [any thread]
  @_semantics("no_performance_analysis")
  public static func exponential(_ value: Double) -> Double { exp(value) }

  /// Natural logarithm. [any thread]
  @_semantics("no_performance_analysis")
  public static func logarithm(_ value: Double) -> Double { log(value) }

  /// Logarithm to the base ten. [any thread]
  @_semantics("no_performance_analysis")
  public static func decimalLogarithm(_ value: Double) -> Double { log10(value) }

  /// `base` raised to `exponent`. [any thread]
  @_semantics("no_performance_analysis")
  public static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

  /// Square root, exact on every processor. [any thread]
  @_semantics("no_performance_analysis")
  public static func squareRoot(_ value: Float) -> Float { value.squareRoot() }
}
