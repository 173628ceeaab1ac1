// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// The sums of two vectors.
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vectorA: T, _ vectorB: U, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    binary(V.Element.vectorFunctions.vadd, vectorA, vectorB, &result)
  }
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer>(_ vectorA: T, _ vectorB: U) -> [T
    .Element] where T.Element: VectorNumber, U.Element == T.Element
  {
    filled(vectorA.count) { add(vectorA, vectorB, result: &$0) }
  }

  /// The first vector minus the second.
  public static func subtract<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vectorA: T, _ vectorB: U, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    binary(V.Element.vectorFunctions.vsub, vectorB, vectorA, &result)
  }
  public static func subtract<T: AccelerateBuffer, U: AccelerateBuffer>(_ vectorA: T, _ vectorB: U)
    -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element
  {
    filled(vectorA.count) { subtract(vectorA, vectorB, result: &$0) }
  }

  /// The products of two vectors.
  public static func multiply<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vectorA: T, _ vectorB: U, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    binary(V.Element.vectorFunctions.vmul, vectorA, vectorB, &result)
  }
  public static func multiply<T: AccelerateBuffer, U: AccelerateBuffer>(_ vectorA: T, _ vectorB: U)
    -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element
  {
    filled(vectorA.count) { multiply(vectorA, vectorB, result: &$0) }
  }

  /// The first vector divided by the second.
  public static func divide<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vectorA: T, _ vectorB: U, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    binary(V.Element.vectorFunctions.vdiv, vectorB, vectorA, &result)
  }
  public static func divide<T: AccelerateBuffer, U: AccelerateBuffer>(_ vectorA: T, _ vectorB: U)
    -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element
  {
    filled(vectorA.count) { divide(vectorA, vectorB, result: &$0) }
  }

  /// The greater of each two elements.
  public static func maximum<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vectorA: T, _ vectorB: U, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    binary(V.Element.vectorFunctions.vmax, vectorA, vectorB, &result)
  }
  public static func maximum<T: AccelerateBuffer, U: AccelerateBuffer>(_ vectorA: T, _ vectorB: U)
    -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element
  {
    filled(vectorA.count) { maximum(vectorA, vectorB, result: &$0) }
  }

  /// The lesser of each two elements.
  public static func minimum<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vectorA: T, _ vectorB: U, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    binary(V.Element.vectorFunctions.vmin, vectorA, vectorB, &result)
  }
  public static func minimum<T: AccelerateBuffer, U: AccelerateBuffer>(_ vectorA: T, _ vectorB: U)
    -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element
  {
    filled(vectorA.count) { minimum(vectorA, vectorB, result: &$0) }
  }

  /// The square roots of x² + y².
  public static func hypot<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ x: T, _ y: U, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    binary(V.Element.vectorFunctions.vdist, x, y, &result)
  }
  public static func hypot<T: AccelerateBuffer, U: AccelerateBuffer>(_ x: T, _ y: U) -> [T.Element]
  where T.Element: VectorNumber, U.Element == T.Element {
    filled(x.count) { hypot(x, y, result: &$0) }
  }

  /// The distances of the points (x0, y0) and (x1, y1).
  public static func hypot<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer,
    V: AccelerateMutableBuffer
  >(x0: R, x1: S, y0: T, y1: U, result: inout V)
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element,
    V.Element == R.Element
  {
    four(V.Element.vectorFunctions.vpythg, x0, y0, x1, y1, &result)
  }
  public static func hypot<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer
  >(x0: R, x1: S, y0: T, y1: U) -> [R.Element]
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element
  {
    filled(x0.count) { hypot(x0: x0, x1: x1, y0: y0, y1: y1, result: &$0) }
  }

  /// A number plus each element.
  public static func add<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ scalar: U.Element, _ vector: U, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    withNumber(V.Element.vectorFunctions.vsadd, vector, scalar, &result)
  }
  public static func add<U: AccelerateBuffer>(_ scalar: U.Element, _ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { add(scalar, vector, result: &$0) }
  }

  /// A number times each element.
  public static func multiply<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ scalar: U.Element, _ vector: U, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    withNumber(V.Element.vectorFunctions.vsmul, vector, scalar, &result)
  }
  public static func multiply<U: AccelerateBuffer>(_ scalar: U.Element, _ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { multiply(scalar, vector, result: &$0) }
  }

  /// Each element divided by a number.
  public static func divide<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, _ scalar: U.Element, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    withNumber(V.Element.vectorFunctions.vsdiv, vector, scalar, &result)
  }
  public static func divide<U: AccelerateBuffer>(_ vector: U, _ scalar: U.Element) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { divide(vector, scalar, result: &$0) }
  }

  /// A number divided by each element.
  public static func divide<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ scalar: U.Element, _ vector: U, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    let count = vector.count
    result.expect(count)
    withUnsafePointer(to: scalar) { scalar in
      vector.read { vector in
        result.write { V.Element.vectorFunctions.svdiv(scalar, vector, 1, $0, 1, UInt(count)) }
      }
    }
  }
  public static func divide<U: AccelerateBuffer>(_ scalar: U.Element, _ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { divide(scalar, vector, result: &$0) }
  }

  /// Each element with the other sign.
  public static func negative<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    unary(V.Element.vectorFunctions.vneg, vector, &result)
  }
  public static func negative<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { negative(vector, result: &$0) }
  }

  /// The magnitude of each element.
  public static func absolute<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    unary(V.Element.vectorFunctions.vabs, vector, &result)
  }
  public static func absolute<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { absolute(vector, result: &$0) }
  }

  /// The negative magnitude of each element.
  public static func negativeAbsolute<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    unary(V.Element.vectorFunctions.vnabs, vector, &result)
  }
  public static func negativeAbsolute<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { negativeAbsolute(vector, result: &$0) }
  }

  /// The square of each element.
  public static func square<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    unary(V.Element.vectorFunctions.vsq, vector, &result)
  }
  public static func square<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { square(vector, result: &$0) }
  }

  /// The square of each element with its sign.
  public static func signedSquare<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    unary(V.Element.vectorFunctions.vssq, vector, &result)
  }
  public static func signedSquare<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { signedSquare(vector, result: &$0) }
  }

  /// Each element without its integer part.
  public static func trunc<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    unary(V.Element.vectorFunctions.vfrac, vector, &result)
  }
  public static func trunc<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { trunc(vector, result: &$0) }
  }

  /// The sums of two vectors, and A less B.
  public static func addSubtract<
    S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateMutableBuffer,
    V: AccelerateMutableBuffer
  >(_ vectorA: S, _ vectorB: T, addResult: inout U, subtractResult: inout V)
  where
    U.Element: VectorNumber, S.Element == U.Element, T.Element == U.Element, V.Element == U.Element
  {
    let count = vectorA.count
    vectorB.expect(count)
    addResult.expect(count)
    subtractResult.expect(count)
    vectorA.read { a in
      vectorB.read { b in
        addResult.write { sums in
          subtractResult.write {
            U.Element.vectorFunctions.vaddsub(b, 1, a, 1, sums, 1, $0, 1, UInt(count))
          }
        }
      }
    }
  }
}
