// SPDX-License-Identifier: Apache-2.0

/// Functions of each element of a vector: those of vForce.h. [any thread]
///
/// Vectors of one call have equal counts; other counts end the program. Functions that return an array
/// allocate.
public enum vForce {
  /// The least integer not below each element.
  public static func ceil<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.ceil, vector, &result)
  }
  public static func ceil<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { ceil(vector, result: &$0) }
  }

  /// The greatest integer not above each element.
  public static func floor<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.floor, vector, &result)
  }
  public static func floor<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { floor(vector, result: &$0) }
  }

  /// Each element without its fraction.
  public static func trunc<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.int, vector, &result)
  }
  public static func trunc<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { trunc(vector, result: &$0) }
  }

  /// The integer nearest to each element.
  public static func nearestInteger<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.nint, vector, &result)
  }
  public static func nearestInteger<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { nearestInteger(vector, result: &$0) }
  }

  /// 1 divided by each element.
  public static func reciprocal<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.rec, vector, &result)
  }
  public static func reciprocal<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { reciprocal(vector, result: &$0) }
  }

  /// The square root of each element.
  public static func sqrt<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.sqrt, vector, &result)
  }
  public static func sqrt<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { sqrt(vector, result: &$0) }
  }

  /// 1 divided by the square root of each element.
  public static func rsqrt<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.rsqrt, vector, &result)
  }
  public static func rsqrt<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { rsqrt(vector, result: &$0) }
  }

  /// e to the power of each element.
  public static func exp<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.exp, vector, &result)
  }
  public static func exp<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { exp(vector, result: &$0) }
  }

  /// 2 to the power of each element.
  public static func exp2<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.exp2, vector, &result)
  }
  public static func exp2<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { exp2(vector, result: &$0) }
  }

  /// e to the power of each element, minus 1.
  public static func expm1<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.expm1, vector, &result)
  }
  public static func expm1<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { expm1(vector, result: &$0) }
  }

  /// The natural logarithm of each element.
  public static func log<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.log, vector, &result)
  }
  public static func log<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { log(vector, result: &$0) }
  }

  /// The logarithm of each element to the base 2.
  public static func log2<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.log2, vector, &result)
  }
  public static func log2<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { log2(vector, result: &$0) }
  }

  /// The logarithm of each element to the base 10.
  public static func log10<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.log10, vector, &result)
  }
  public static func log10<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { log10(vector, result: &$0) }
  }

  /// The natural logarithm of 1 plus each element.
  public static func log1p<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.log1p, vector, &result)
  }
  public static func log1p<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { log1p(vector, result: &$0) }
  }

  /// The exponent of each element.
  public static func logb<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.logb, vector, &result)
  }
  public static func logb<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { logb(vector, result: &$0) }
  }

  /// The sine of each element.
  public static func sin<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.sin, vector, &result)
  }
  public static func sin<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { sin(vector, result: &$0) }
  }

  /// The cosine of each element.
  public static func cos<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.cos, vector, &result)
  }
  public static func cos<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { cos(vector, result: &$0) }
  }

  /// The tangent of each element.
  public static func tan<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.tan, vector, &result)
  }
  public static func tan<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { tan(vector, result: &$0) }
  }

  /// The sine of π times each element.
  public static func sinPi<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.sinpi, vector, &result)
  }
  public static func sinPi<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { sinPi(vector, result: &$0) }
  }

  /// The cosine of π times each element.
  public static func cosPi<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.cospi, vector, &result)
  }
  public static func cosPi<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { cosPi(vector, result: &$0) }
  }

  /// The tangent of π times each element.
  public static func tanPi<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.tanpi, vector, &result)
  }
  public static func tanPi<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { tanPi(vector, result: &$0) }
  }

  /// The arc sine of each element.
  public static func asin<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.asin, vector, &result)
  }
  public static func asin<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { asin(vector, result: &$0) }
  }

  /// The arc cosine of each element.
  public static func acos<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.acos, vector, &result)
  }
  public static func acos<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { acos(vector, result: &$0) }
  }

  /// The arc tangent of each element.
  public static func atan<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.atan, vector, &result)
  }
  public static func atan<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { atan(vector, result: &$0) }
  }

  /// The hyperbolic sine of each element.
  public static func sinh<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.sinh, vector, &result)
  }
  public static func sinh<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { sinh(vector, result: &$0) }
  }

  /// The hyperbolic cosine of each element.
  public static func cosh<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.cosh, vector, &result)
  }
  public static func cosh<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { cosh(vector, result: &$0) }
  }

  /// The hyperbolic tangent of each element.
  public static func tanh<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.tanh, vector, &result)
  }
  public static func tanh<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { tanh(vector, result: &$0) }
  }

  /// The inverse hyperbolic sine of each element.
  public static func asinh<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.asinh, vector, &result)
  }
  public static func asinh<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { asinh(vector, result: &$0) }
  }

  /// The inverse hyperbolic cosine of each element.
  public static func acosh<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.acosh, vector, &result)
  }
  public static func acosh<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { acosh(vector, result: &$0) }
  }

  /// The inverse hyperbolic tangent of each element.
  public static func atanh<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where V.Element: ForceNumber, U.Element == V.Element {
    unary(V.Element.forceFunctions.atanh, vector, &result)
  }
  public static func atanh<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: ForceNumber {
    vDSP.filled(vector.count) { atanh(vector, result: &$0) }
  }
}
