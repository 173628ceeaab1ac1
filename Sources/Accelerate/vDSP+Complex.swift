// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// Adds the first `count` complex numbers.
  public static func add<Z: vDSP_SplitComplex>(
    _ splitComplexA: Z, to splitComplexB: Z, count: Int, result: inout Z
  ) {
    complex(Z.complexFunctions.zvadd, splitComplexA, splitComplexB, count, &result)
  }

  /// A minus B, for the first `count` complex numbers.
  public static func subtract<Z: vDSP_SplitComplex>(
    _ splitComplexB: Z, from splitComplexA: Z, count: Int, result: inout Z
  ) {
    complex(Z.complexFunctions.zvsub, splitComplexA, splitComplexB, count, &result)
  }

  /// A, or its conjugate, times B, for the first `count` complex numbers.
  public static func multiply<Z: vDSP_SplitComplex>(
    _ splitComplexA: Z, by splitComplexB: Z, count: Int, useConjugate: Bool, result: inout Z
  ) {
    withUnsafePointer(to: splitComplexA) { a in
      withUnsafePointer(to: splitComplexB) { b in
        withUnsafePointer(to: result) {
          Z.complexFunctions.zvmul(a, 1, b, 1, $0, 1, UInt(count), useConjugate ? -1 : 1)
        }
      }
    }
  }

  /// A divided by B, for the first `count` complex numbers.
  public static func divide<Z: vDSP_SplitComplex>(
    _ splitComplexA: Z, by splitComplexB: Z, count: Int, result: inout Z
  ) {
    complex(Z.complexFunctions.zvdiv, splitComplexB, splitComplexA, count, &result)
  }

  /// Complex numbers times a real vector.
  public static func multiply<Z: vDSP_SplitComplex, U: AccelerateBuffer>(
    _ splitComplex: Z, by vector: U, result: inout Z
  ) where U.Element == Z.Number {
    withReals(Z.complexFunctions.zrvmul, splitComplex, vector, &result)
  }

  /// Complex numbers divided by a real vector.
  public static func divide<Z: vDSP_SplitComplex, U: AccelerateBuffer>(
    _ splitComplex: Z, by vector: U, result: inout Z
  ) where U.Element == Z.Number {
    withReals(Z.complexFunctions.zrvdiv, splitComplex, vector, &result)
  }

  /// The conjugates of the first `count` complex numbers.
  public static func conjugate<Z: vDSP_SplitComplex>(_ splitComplex: Z, count: Int, result: inout Z)
  {
    complex(Z.complexFunctions.zvconj, splitComplex, count, &result)
  }

  /// Copies the first `count` complex numbers.
  public static func copy<Z: vDSP_SplitComplex>(_ source: Z, to destination: inout Z, count: Int) {
    complex(Z.complexFunctions.zvmov, source, count, &destination)
  }

  /// The magnitudes of as many complex numbers as there are results.
  public static func absolute<Z: vDSP_SplitComplex, V: AccelerateMutableBuffer>(
    _ splitComplex: Z, result: inout V
  ) where V.Element == Z.Number {
    toReal(Z.complexFunctions.zvabs, splitComplex, &result)
  }

  /// The squares of the magnitudes of as many complex numbers as there are results.
  public static func squareMagnitudes<Z: vDSP_SplitComplex, V: AccelerateMutableBuffer>(
    _ splitComplex: Z, result: inout V
  ) where V.Element == Z.Number {
    toReal(Z.complexFunctions.zvmags, splitComplex, &result)
  }

  /// The angles, from -π to π, of as many complex numbers as there are results.
  public static func phase<Z: vDSP_SplitComplex, V: AccelerateMutableBuffer>(
    _ splitComplex: Z, result: inout V
  ) where V.Element == Z.Number {
    toReal(Z.complexFunctions.zvphas, splitComplex, &result)
  }

  /// Splits complex numbers; there is memory for all of them.
  public static func convert<Z: vDSP_SplitComplex>(
    interleavedComplexVector: [Z.Interleaved], toSplitComplexVector splitComplexVector: inout Z
  ) {
    withUnsafePointer(to: splitComplexVector) { split in
      interleavedComplexVector.read {
        Z.complexFunctions.ctoz($0, 2, split, 1, UInt(interleavedComplexVector.count))
      }
    }
  }

  /// Interleaves as many complex numbers as there are results.
  public static func convert<Z: vDSP_SplitComplex>(
    splitComplexVector: Z,
    toInterleavedComplexVector interleavedComplexVector: inout [Z.Interleaved]
  ) {
    let count = UInt(interleavedComplexVector.count)
    withUnsafePointer(to: splitComplexVector) { split in
      interleavedComplexVector.write { Z.complexFunctions.ztoc(split, 1, $0, 2, count) }
    }
  }

  private static func complex<Z: vDSP_SplitComplex>(
    _ function: ComplexFunctions<Z>.Unary, _ a: Z, _ count: Int, _ result: inout Z
  ) {
    withUnsafePointer(to: a) { a in
      withUnsafePointer(to: result) { function(a, 1, $0, 1, UInt(count)) }
    }
  }

  private static func complex<Z: vDSP_SplitComplex>(
    _ function: ComplexFunctions<Z>.Binary, _ a: Z, _ b: Z, _ count: Int, _ result: inout Z
  ) {
    withUnsafePointer(to: a) { a in
      withUnsafePointer(to: b) { b in
        withUnsafePointer(to: result) { function(a, 1, b, 1, $0, 1, UInt(count)) }
      }
    }
  }

  private static func withReals<Z: vDSP_SplitComplex, U: AccelerateBuffer>(
    _ function: ComplexFunctions<Z>.WithReals, _ a: Z, _ reals: U, _ result: inout Z
  ) where U.Element == Z.Number {
    withUnsafePointer(to: a) { a in
      withUnsafePointer(to: result) { result in
        reals.read { function(a, 1, $0, 1, result, 1, UInt(reals.count)) }
      }
    }
  }

  private static func toReal<Z: vDSP_SplitComplex, V: AccelerateMutableBuffer>(
    _ function: ComplexFunctions<Z>.ToReal, _ a: Z, _ result: inout V
  ) where V.Element == Z.Number {
    let count = UInt(result.count)
    withUnsafePointer(to: a) { a in result.write { function(a, 1, $0, 1, count) } }
  }
}
