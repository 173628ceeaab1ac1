// SPDX-License-Identifier: Apache-2.0

extension vForce {
  /// Each base to the power of its exponent.
  public static func pow<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    bases: T, exponents: U, result: inout V
  ) where V.Element: ForceNumber, T.Element == V.Element, U.Element == V.Element {
    binary(V.Element.forceFunctions.pow, exponents, bases, &result)
  }
  public static func pow<T: AccelerateBuffer, U: AccelerateBuffer>(bases: T, exponents: U) -> [T
    .Element] where T.Element: ForceNumber, U.Element == T.Element
  {
    vDSP.filled(bases.count) { pow(bases: bases, exponents: exponents, result: &$0) }
  }

  /// The angles of points.
  public static func atan2<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    x: T, y: U, result: inout V
  ) where V.Element: ForceNumber, T.Element == V.Element, U.Element == V.Element {
    binary(V.Element.forceFunctions.atan2, y, x, &result)
  }
  public static func atan2<T: AccelerateBuffer, U: AccelerateBuffer>(x: T, y: U) -> [T.Element]
  where T.Element: ForceNumber, U.Element == T.Element {
    vDSP.filled(x.count) { atan2(x: x, y: y, result: &$0) }
  }

  /// Magnitudes with the signs of other numbers.
  public static func copysign<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    magnitudes: T, signs: U, result: inout V
  ) where V.Element: ForceNumber, T.Element == V.Element, U.Element == V.Element {
    binary(V.Element.forceFunctions.copysign, magnitudes, signs, &result)
  }
  public static func copysign<T: AccelerateBuffer, U: AccelerateBuffer>(magnitudes: T, signs: U)
    -> [T.Element] where T.Element: ForceNumber, U.Element == T.Element
  {
    vDSP.filled(magnitudes.count) { copysign(magnitudes: magnitudes, signs: signs, result: &$0) }
  }

  /// Remainders with the signs of the dividends.
  public static func truncatingRemainder<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(dividends: T, divisors: U, result: inout V)
  where V.Element: ForceNumber, T.Element == V.Element, U.Element == V.Element {
    binary(V.Element.forceFunctions.fmod, dividends, divisors, &result)
  }
  public static func truncatingRemainder<T: AccelerateBuffer, U: AccelerateBuffer>(
    dividends: T, divisors: U
  ) -> [T.Element] where T.Element: ForceNumber, U.Element == T.Element {
    vDSP.filled(dividends.count) {
      truncatingRemainder(dividends: dividends, divisors: divisors, result: &$0)
    }
  }

  /// Distances of the dividends to the nearest multiples of the divisors.
  public static func remainder<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(dividends: T, divisors: U, result: inout V)
  where V.Element: ForceNumber, T.Element == V.Element, U.Element == V.Element {
    binary(V.Element.forceFunctions.remainder, dividends, divisors, &result)
  }
  public static func remainder<T: AccelerateBuffer, U: AccelerateBuffer>(dividends: T, divisors: U)
    -> [T.Element] where T.Element: ForceNumber, U.Element == T.Element
  {
    vDSP.filled(dividends.count) {
      remainder(dividends: dividends, divisors: divisors, result: &$0)
    }
  }

  /// The sines and the cosines of each element.
  public static func sincos<
    U: AccelerateBuffer, V: AccelerateMutableBuffer, W: AccelerateMutableBuffer
  >(_ vector: U, sinResult: inout V, cosResult: inout W)
  where U.Element: ForceNumber, V.Element == U.Element, W.Element == U.Element {
    let count = vector.count
    sinResult.expect(count)
    cosResult.expect(count)
    withCount(count) { count in
      vector.read { vector in
        sinResult.write { sines in
          cosResult.write { U.Element.forceFunctions.sincos(sines, $0, vector, count) }
        }
      }
    }
  }

  static func unary<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ function: ForceFunctions<V.Element>.Unary, _ vector: U, _ result: inout V
  ) where U.Element == V.Element {
    result.expect(vector.count)
    withCount(vector.count) { count in
      vector.read { vector in result.write { function($0, vector, count) } }
    }
  }

  static func binary<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ function: ForceFunctions<V.Element>.Binary, _ a: T, _ b: U, _ result: inout V
  ) where T.Element == V.Element, U.Element == V.Element {
    let count = a.count
    b.expect(count)
    result.expect(count)
    withCount(count) { count in
      a.read { a in b.read { b in result.write { function($0, a, b, count) } } }
    }
  }

  private static func withCount(_ count: Int, _ body: (UnsafePointer<Int32>) -> Void) {
    guard let count = Int32(exactly: count) else {
      fatalError("Accelerate: \(count) elements are too many for vForce")
    }
    withUnsafePointer(to: count, body)
  }
}
