// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// The elements at indices that count from one.
  public static func gather<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: T, indices: U, result: inout V
  ) where V.Element: VectorNumber, T.Element == V.Element, U.Element == UInt {
    let count = indices.count
    result.expect(count)
    indices.withUnsafeBufferPointer {
      require(
        $0.allSatisfy { 1...UInt(max(1, vector.count)) ~= $0 },
        "an index is not from 1 to the count")
    }
    vector.read { vector in
      indices.read { indices in
        result.write { V.Element.vectorFunctions.vgathr(vector, indices, 1, $0, 1, UInt(count)) }
      }
    }
  }

  /// The elements at indices that count from one.
  public static func gather<T: AccelerateBuffer, U: AccelerateBuffer>(_ vector: T, indices: U) -> [T
    .Element] where T.Element: VectorNumber, U.Element == UInt
  {
    filled(indices.count) { gather(vector, indices: indices, result: &$0) }
  }

  /// The elements whose gate is not zero, of which there are `nonZeroGatingCount`; nil counts them.
  public static func compress<T: AccelerateBuffer, U: AccelerateBuffer>(
    _ vector: T, gatingVector: U, nonZeroGatingCount: Int?
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    gatingVector.expect(vector.count)
    let open = gatingVector.withUnsafeBufferPointer { $0.count { $0 != 0 } }
    return filled(nonZeroGatingCount ?? open) {
      compress(vector, gatingVector: gatingVector, result: &$0)
    }
  }

  /// The elements whose gate is not zero. The result has at least as many elements; others stay.
  public static func compress<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: T, gatingVector: U, result: inout V
  ) where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    gatingVector.expect(vector.count)
    let open = gatingVector.withUnsafeBufferPointer { $0.count { $0 != 0 } }
    require(result.count >= open, "\(open) elements are more than \(result.count) results")
    vector.read { vector in
      gatingVector.read { gate in
        result.write {
          V.Element.vectorFunctions.vcmprs(vector, 1, gate, 1, $0, 1, UInt(gatingVector.count))
        }
      }
    }
  }

  /// A polynomial at each variable; the coefficient of the highest power comes first.
  public static func evaluatePolynomial<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(usingCoefficients coefficients: T, withVariables variables: U, result: inout V)
  where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    let count = variables.count
    result.expect(count)
    require(coefficients.count > 0, "a polynomial has at least one coefficient")
    let degree = UInt(coefficients.count - 1)
    coefficients.read { coefficients in
      variables.read { variables in
        result.write {
          V.Element.vectorFunctions.vpoly(coefficients, 1, variables, 1, $0, 1, UInt(count), degree)
        }
      }
    }
  }

  /// A polynomial at each variable; the coefficient of the highest power comes first.
  public static func evaluatePolynomial<T: AccelerateBuffer, U: AccelerateBuffer>(
    usingCoefficients coefficients: T, withVariables variables: U
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(variables.count) {
      evaluatePolynomial(usingCoefficients: coefficients, withVariables: variables, result: &$0)
    }
  }
}
