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

  // MARK: Interpolation

  /// Between the elements of two vectors: a + (b - a) * constant.
  public static func linearInterpolate<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(_ vectorA: T, _ vectorB: U, using interpolationConstant: V.Element, result: inout V)
  where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    twoWithNumber(V.Element.vectorFunctions.vintb, vectorA, vectorB, interpolationConstant, &result)
  }

  /// Between the elements of two vectors: a + (b - a) * constant.
  public static func linearInterpolate<T: AccelerateBuffer, U: AccelerateBuffer>(
    _ vectorA: T, _ vectorB: U, using interpolationConstant: T.Element
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(vectorA.count) {
      linearInterpolate(vectorA, vectorB, using: interpolationConstant, result: &$0)
    }
  }

  /// Between the neighbours of a place in a vector, for each of several places.
  public static func linearInterpolate<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(elementsOf vector: T, using controlVector: U, result: inout V)
  where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    let count = controlVector.count
    result.expect(count)
    require(vector.count > 1, "there are no neighbours to interpolate")
    vector.read { elements in
      controlVector.read { control in
        result.write {
          V.Element.vectorFunctions.vlint(
            elements, control, 1, $0, 1, UInt(count), UInt(vector.count))
        }
      }
    }
  }

  /// Between the neighbours of a place in a vector, for each of several places.
  public static func linearInterpolate<T: AccelerateBuffer, U: AccelerateBuffer>(
    elementsOf vector: T, using controlVector: U
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(controlVector.count) {
      linearInterpolate(elementsOf: vector, using: controlVector, result: &$0)
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

  // MARK: Decibels

  /// 20 log10 of each element divided by the reference.
  public static func amplitudeToDecibels<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ amplitude: U, zeroReference: V.Element, result: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    decibels(amplitude, zeroReference, 1, &result)
  }

  /// 20 log10 of each element divided by the reference.
  public static func amplitudeToDecibels<U: AccelerateBuffer>(
    _ amplitude: U, zeroReference: U.Element
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(amplitude.count) {
      amplitudeToDecibels(amplitude, zeroReference: zeroReference, result: &$0)
    }
  }

  /// 10 log10 of each element divided by the reference.
  public static func powerToDecibels<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ power: U, zeroReference: V.Element, result: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    decibels(power, zeroReference, 0, &result)
  }

  /// 10 log10 of each element divided by the reference.
  public static func powerToDecibels<U: AccelerateBuffer>(_ power: U, zeroReference: U.Element)
    -> [U.Element] where U.Element: VectorNumber
  {
    filled(power.count) { powerToDecibels(power, zeroReference: zeroReference, result: &$0) }
  }

  private static func decibels<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, _ reference: V.Element, _ flag: UInt32, _ result: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    let count = vector.count
    result.expect(count)
    withUnsafePointer(to: reference) { reference in
      vector.read { vector in
        result.write {
          V.Element.vectorFunctions.vdbcon(vector, 1, reference, $0, 1, UInt(count), flag)
        }
      }
    }
  }
}
