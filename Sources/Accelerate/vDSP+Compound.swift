// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// (a + b) * c, with a vector c.
  public static func multiply<
    S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(addition: (a: S, b: T), _ vector: U, result: inout V)
  where
    S.Element: VectorNumber, T.Element == S.Element, U.Element == S.Element, V.Element == S.Element
  {
    ternary(V.Element.vectorFunctions.vam, addition.a, addition.b, vector, &result)
  }
  public static func multiply<S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer>(
    addition: (a: S, b: T), _ vector: U
  ) -> [S.Element] where S.Element: VectorNumber, T.Element == S.Element, U.Element == S.Element {
    filled(vector.count) { multiply(addition: addition, vector, result: &$0) }
  }

  /// (a + b) * c, with a number c.
  public static func multiply<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    addition: (a: T, b: U), _ scalar: T.Element, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    twoWithNumber(V.Element.vectorFunctions.vasm, addition.a, addition.b, scalar, &result)
  }
  public static func multiply<T: AccelerateBuffer, U: AccelerateBuffer>(
    addition: (a: T, b: U), _ scalar: T.Element
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(addition.a.count) { multiply(addition: addition, scalar, result: &$0) }
  }

  /// (a - b) * c, with a vector c.
  public static func multiply<
    S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(subtraction: (a: S, b: T), _ vector: U, result: inout V)
  where
    S.Element: VectorNumber, T.Element == S.Element, U.Element == S.Element, V.Element == S.Element
  {
    ternary(V.Element.vectorFunctions.vsbm, subtraction.a, subtraction.b, vector, &result)
  }
  public static func multiply<S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer>(
    subtraction: (a: S, b: T), _ vector: U
  ) -> [S.Element] where S.Element: VectorNumber, T.Element == S.Element, U.Element == S.Element {
    filled(vector.count) { multiply(subtraction: subtraction, vector, result: &$0) }
  }

  /// (a - b) * c, with a number c.
  public static func multiply<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    subtraction: (a: T, b: U), _ scalar: T.Element, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    twoWithNumber(V.Element.vectorFunctions.vsbsm, subtraction.a, subtraction.b, scalar, &result)
  }
  public static func multiply<T: AccelerateBuffer, U: AccelerateBuffer>(
    subtraction: (a: T, b: U), _ scalar: T.Element
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(subtraction.a.count) { multiply(subtraction: subtraction, scalar, result: &$0) }
  }

  /// (a + b) * (c + d).
  public static func multiply<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer,
    V: AccelerateMutableBuffer
  >(addition first: (a: R, b: S), addition second: (c: T, d: U), result: inout V)
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element,
    V.Element == R.Element
  {
    four(V.Element.vectorFunctions.vaam, first.a, first.b, second.c, second.d, &result)
  }
  public static func multiply<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer
  >(addition first: (a: R, b: S), addition second: (c: T, d: U)) -> [R.Element]
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element
  {
    filled(first.a.count) { multiply(addition: first, addition: second, result: &$0) }
  }

  /// (a - b) * (c - d).
  public static func multiply<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer,
    V: AccelerateMutableBuffer
  >(subtraction first: (a: R, b: S), subtraction second: (c: T, d: U), result: inout V)
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element,
    V.Element == R.Element
  {
    four(V.Element.vectorFunctions.vsbsbm, first.a, first.b, second.c, second.d, &result)
  }
  public static func multiply<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer
  >(subtraction first: (a: R, b: S), subtraction second: (c: T, d: U)) -> [R.Element]
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element
  {
    filled(first.a.count) { multiply(subtraction: first, subtraction: second, result: &$0) }
  }

  /// (a + b) * (c - d).
  public static func multiply<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer,
    V: AccelerateMutableBuffer
  >(addition: (a: R, b: S), subtraction: (c: T, d: U), result: inout V)
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element,
    V.Element == R.Element
  {
    four(
      V.Element.vectorFunctions.vasbm, addition.a, addition.b, subtraction.c, subtraction.d, &result
    )
  }
  public static func multiply<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer
  >(addition: (a: R, b: S), subtraction: (c: T, d: U)) -> [R.Element]
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element
  {
    filled(addition.a.count) { multiply(addition: addition, subtraction: subtraction, result: &$0) }
  }

  /// a * b + c, with vectors.
  public static func add<
    S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(multiplication: (a: S, b: T), _ vector: U, result: inout V)
  where
    S.Element: VectorNumber, T.Element == S.Element, U.Element == S.Element, V.Element == S.Element
  {
    ternary(V.Element.vectorFunctions.vma, multiplication.a, multiplication.b, vector, &result)
  }
  public static func add<S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer>(
    multiplication: (a: S, b: T), _ vector: U
  ) -> [S.Element] where S.Element: VectorNumber, T.Element == S.Element, U.Element == S.Element {
    filled(vector.count) { add(multiplication: multiplication, vector, result: &$0) }
  }

  /// a * b + c, with a number c.
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    multiplication: (a: T, b: U), _ scalar: T.Element, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    twoWithNumber(
      V.Element.vectorFunctions.vmsa, multiplication.a, multiplication.b, scalar, &result)
  }
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer>(
    multiplication: (a: T, b: U), _ scalar: T.Element
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(multiplication.a.count) { add(multiplication: multiplication, scalar, result: &$0) }
  }

  /// a * b + c, with a number b.
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    multiplication: (a: T, b: T.Element), _ vector: U, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    numberBetween(
      V.Element.vectorFunctions.vsma, multiplication.a, multiplication.b, vector, &result)
  }
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer>(
    multiplication: (a: T, b: T.Element), _ vector: U
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(vector.count) { add(multiplication: multiplication, vector, result: &$0) }
  }

  /// a * b + c, with numbers b and c.
  public static func add<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    multiplication: (a: U, b: U.Element), _ scalar: U.Element, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    withNumbers(
      V.Element.vectorFunctions.vsmsa, multiplication.a, multiplication.b, scalar, &result)
  }
  public static func add<U: AccelerateBuffer>(
    multiplication: (a: U, b: U.Element), _ scalar: U.Element
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(multiplication.a.count) { add(multiplication: multiplication, scalar, result: &$0) }
  }

  /// a * b + c * d, with numbers b and d.
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    multiplication first: (a: T, b: T.Element), multiplication second: (c: U, d: T.Element),
    result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    let count = first.a.count
    second.c.expect(count)
    result.expect(count)
    withUnsafePointer(to: first.b) { b in
      withUnsafePointer(to: second.d) { d in
        first.a.read { a in
          second.c.read { c in
            result.write { V.Element.vectorFunctions.vsmsma(a, 1, b, c, 1, d, $0, 1, UInt(count)) }
          }
        }
      }
    }
  }
  public static func add<T: AccelerateBuffer, U: AccelerateBuffer>(
    multiplication first: (a: T, b: T.Element), multiplication second: (c: U, d: T.Element)
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(first.a.count) { add(multiplication: first, multiplication: second, result: &$0) }
  }

  /// a * b + c * d, with vectors.
  public static func add<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer,
    V: AccelerateMutableBuffer
  >(multiplication first: (a: R, b: S), multiplication second: (c: T, d: U), result: inout V)
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element,
    V.Element == R.Element
  {
    four(V.Element.vectorFunctions.vmma, first.a, first.b, second.c, second.d, &result)
  }
  public static func add<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer
  >(multiplication first: (a: R, b: S), multiplication second: (c: T, d: U)) -> [R.Element]
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element
  {
    filled(first.a.count) { add(multiplication: first, multiplication: second, result: &$0) }
  }

  /// a * b - c, with vectors.
  public static func subtract<
    S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(multiplication: (a: S, b: T), _ vector: U, result: inout V)
  where
    S.Element: VectorNumber, T.Element == S.Element, U.Element == S.Element, V.Element == S.Element
  {
    ternary(V.Element.vectorFunctions.vmsb, multiplication.a, multiplication.b, vector, &result)
  }
  public static func subtract<S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer>(
    multiplication: (a: S, b: T), _ vector: U
  ) -> [S.Element] where S.Element: VectorNumber, T.Element == S.Element, U.Element == S.Element {
    filled(vector.count) { subtract(multiplication: multiplication, vector, result: &$0) }
  }

  /// a * b - c, with a number b.
  public static func subtract<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    multiplication: (a: T, b: T.Element), _ vector: U, result: inout V
  ) where T.Element: VectorNumber, U.Element == T.Element, V.Element == T.Element {
    numberBetween(
      V.Element.vectorFunctions.vsmsb, multiplication.a, multiplication.b, vector, &result)
  }
  public static func subtract<T: AccelerateBuffer, U: AccelerateBuffer>(
    multiplication: (a: T, b: T.Element), _ vector: U
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(vector.count) { subtract(multiplication: multiplication, vector, result: &$0) }
  }

  /// a * b - c * d.
  public static func subtract<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer,
    V: AccelerateMutableBuffer
  >(multiplication first: (a: R, b: S), multiplication second: (c: T, d: U), result: inout V)
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element,
    V.Element == R.Element
  {
    four(V.Element.vectorFunctions.vmmsb, first.a, first.b, second.c, second.d, &result)
  }
  public static func subtract<
    R: AccelerateBuffer, S: AccelerateBuffer, T: AccelerateBuffer, U: AccelerateBuffer
  >(multiplication first: (a: R, b: S), multiplication second: (c: T, d: U)) -> [R.Element]
  where
    R.Element: VectorNumber, S.Element == R.Element, T.Element == R.Element, U.Element == R.Element
  {
    filled(first.a.count) { subtract(multiplication: first, multiplication: second, result: &$0) }
  }
}
