// SPDX-License-Identifier: Apache-2.0

// The shapes of functions of vectors, element by element. Each shape checks the counts and calls a C
// function with the addresses.

extension vDSP {
  /// C[n] from A[n].
  static func unary<A: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ function: VectorFunctions<R.Element>.Unary, _ a: A, _ result: inout R
  ) where A.Element == R.Element {
    let count = a.count
    result.expect(count)
    a.read { a in result.write { function(a, 1, $0, 1, UInt(count)) } }
  }

  /// D[n] from A[n] and B[n].
  static func binary<A: AccelerateBuffer, B: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ function: VectorFunctions<R.Element>.Binary, _ a: A, _ b: B, _ result: inout R
  ) where A.Element == R.Element, B.Element == R.Element {
    let count = a.count
    b.expect(count)
    result.expect(count)
    a.read { a in b.read { b in result.write { function(a, 1, b, 1, $0, 1, UInt(count)) } } }
  }

  /// C[n] from A[n] and a number.
  static func withNumber<A: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ function: VectorFunctions<R.Element>.WithNumber, _ a: A, _ number: R.Element,
    _ result: inout R
  ) where A.Element == R.Element {
    let count = a.count
    result.expect(count)
    withUnsafePointer(to: number) { number in
      a.read { a in result.write { function(a, 1, number, $0, 1, UInt(count)) } }
    }
  }

  /// C[n] from A[n] and two numbers.
  static func withNumbers<A: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ function: VectorFunctions<R.Element>.WithNumbers, _ a: A, _ first: R.Element,
    _ second: R.Element, _ result: inout R
  ) where A.Element == R.Element {
    let count = a.count
    result.expect(count)
    withUnsafePointer(to: first) { first in
      withUnsafePointer(to: second) { second in
        a.read { a in result.write { function(a, 1, first, second, $0, 1, UInt(count)) } }
      }
    }
  }

  /// D[n] from A[n], B[n] and C[n].
  static func ternary<
    A: AccelerateBuffer, B: AccelerateBuffer, C: AccelerateBuffer, R: AccelerateMutableBuffer
  >(
    _ function: VectorFunctions<R.Element>.Ternary, _ a: A, _ b: B, _ c: C, _ result: inout R
  ) where A.Element == R.Element, B.Element == R.Element, C.Element == R.Element {
    let count = a.count
    b.expect(count)
    c.expect(count)
    result.expect(count)
    a.read { a in
      b.read { b in
        c.read { c in result.write { function(a, 1, b, 1, c, 1, $0, 1, UInt(count)) } }
      }
    }
  }

  /// D[n] from A[n], B[n] and a number.
  static func twoWithNumber<A: AccelerateBuffer, B: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ function: VectorFunctions<R.Element>.TwoWithNumber, _ a: A, _ b: B, _ number: R.Element,
    _ result: inout R
  ) where A.Element == R.Element, B.Element == R.Element {
    let count = a.count
    b.expect(count)
    result.expect(count)
    withUnsafePointer(to: number) { number in
      a.read { a in
        b.read { b in result.write { function(a, 1, b, 1, number, $0, 1, UInt(count)) } }
      }
    }
  }

  /// D[n] from A[n], a number and C[n].
  static func numberBetween<A: AccelerateBuffer, C: AccelerateBuffer, R: AccelerateMutableBuffer>(
    _ function: VectorFunctions<R.Element>.NumberBetween, _ a: A, _ number: R.Element, _ c: C,
    _ result: inout R
  ) where A.Element == R.Element, C.Element == R.Element {
    let count = a.count
    c.expect(count)
    result.expect(count)
    withUnsafePointer(to: number) { number in
      a.read { a in
        c.read { c in result.write { function(a, 1, number, c, 1, $0, 1, UInt(count)) } }
      }
    }
  }

  /// E[n] from A[n], B[n], C[n] and D[n].
  static func four<
    A: AccelerateBuffer, B: AccelerateBuffer, C: AccelerateBuffer, D: AccelerateBuffer,
    R: AccelerateMutableBuffer
  >(
    _ function: VectorFunctions<R.Element>.Four, _ a: A, _ b: B, _ c: C, _ d: D,
    _ result: inout R
  )
  where
    A.Element == R.Element, B.Element == R.Element, C.Element == R.Element, D.Element == R.Element
  {
    let count = a.count
    b.expect(count)
    c.expect(count)
    d.expect(count)
    result.expect(count)
    a.read { a in
      b.read { b in
        c.read { c in
          d.read { d in
            result.write { function(a, 1, b, 1, c, 1, d, 1, $0, 1, UInt(count)) }
          }
        }
      }
    }
  }

  /// An array of `count` numbers that a function fills.
  static func filled<N: VectorNumber>(_ count: Int, _ body: (inout [N]) -> Void) -> [N] {
    var result = [N](repeating: 0, count: count)
    body(&result)
    return result
  }
}
