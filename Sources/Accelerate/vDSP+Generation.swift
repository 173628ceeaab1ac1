// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// Sets each element to zero.
  public static func clear<V: AccelerateMutableBuffer>(_ vector: inout V)
  where V.Element: VectorNumber {
    let count = UInt(vector.count)
    vector.write { V.Element.vectorFunctions.vclr($0, 1, count) }
  }

  /// Sets each element to a number.
  public static func fill<V: AccelerateMutableBuffer>(_ vector: inout V, with value: V.Element)
  where V.Element: VectorNumber {
    let count = UInt(vector.count)
    withUnsafePointer(to: value) { value in
      vector.write { V.Element.vectorFunctions.vfill(value, $0, 1, count) }
    }
  }

  /// Reverses the order of the elements.
  public static func reverse<V: AccelerateMutableBuffer>(_ vector: inout V)
  where V.Element: VectorNumber {
    let count = UInt(vector.count)
    vector.write { V.Element.vectorFunctions.vrvrs($0, 1, count) }
  }

  /// Exchanges the elements of two vectors.
  public static func swapElements<T: AccelerateMutableBuffer, U: AccelerateMutableBuffer>(
    _ vectorA: inout T, _ vectorB: inout U
  ) where T.Element: VectorNumber, U.Element == T.Element {
    let count = vectorA.count
    vectorB.expect(count)
    vectorA.write { a in
      vectorB.write { T.Element.vectorFunctions.vswap(a, 1, $0, 1, UInt(count)) }
    }
  }

  /// The order of `sort(_:sortOrder:)`.
  public enum SortOrder: Int32, Sendable {
    /// The smallest first.
    case ascending = 1
    /// The largest first.
    case descending = -1
  }

  /// Sorts the elements.
  public static func sort<V: AccelerateMutableBuffer>(_ vector: inout V, sortOrder: SortOrder)
  where V.Element: VectorNumber {
    let count = UInt(vector.count)
    vector.write { V.Element.vectorFunctions.vsort($0, count, sortOrder.rawValue) }
  }

  // MARK: Ramps

  /// Fills a vector with a first number and an increment for each next.
  public static func formRamp<V: AccelerateMutableBuffer>(
    withInitialValue initialValue: V.Element, increment: V.Element, result: inout V
  ) where V.Element: VectorNumber {
    ramp(V.Element.vectorFunctions.vramp, initialValue, increment, &result)
  }

  /// A first number and an increment for each next.
  public static func ramp<N: VectorNumber>(
    withInitialValue initialValue: N, increment: N, count: Int
  ) -> [N] {
    filled(count) { formRamp(withInitialValue: initialValue, increment: increment, result: &$0) }
  }

  /// Fills a vector with a line between both ends of a range.
  public static func formRamp<V: AccelerateMutableBuffer>(
    in range: ClosedRange<V.Element>, result: inout V
  ) where V.Element: VectorNumber {
    ramp(V.Element.vectorFunctions.vgen, range.lowerBound, range.upperBound, &result)
  }

  /// A line between both ends of a range.
  public static func ramp<N: VectorNumber>(in range: ClosedRange<N>, count: Int) -> [N] {
    filled(count) { formRamp(in: range, result: &$0) }
  }

  /// Fills a vector with a line from a number to another, which may be smaller.
  public static func formRamp<V: AccelerateMutableBuffer>(
    from start: V.Element, through end: V.Element, result: inout V
  ) where V.Element: VectorNumber {
    ramp(V.Element.vectorFunctions.vgen, start, end, &result)
  }

  /// A line from a number to another, which may be smaller.
  public static func ramp<N: VectorNumber>(from start: N, through end: N, count: Int) -> [N] {
    filled(count) { formRamp(from: start, through: end, result: &$0) }
  }

  /// The products of a vector and a ramp. The initial value becomes that of the next call.
  public static func formRamp<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    withInitialValue initialValue: inout V.Element, multiplyingBy vector: U, increment: V.Element,
    result: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    let count = vector.count
    result.expect(count)
    var (start, step) = (initialValue, increment)
    vector.read { vector in
      result.write {
        V.Element.vectorFunctions.vrampmul(vector, 1, &start, &step, $0, 1, UInt(count))
      }
    }
    initialValue = start
  }

  /// The products of a vector and a ramp. The initial value becomes that of the next call.
  public static func ramp<U: AccelerateBuffer>(
    withInitialValue initialValue: inout U.Element, multiplyingBy vector: U, increment: U.Element
  ) -> [U.Element] where U.Element: VectorNumber {
    var result = [U.Element](repeating: 0, count: vector.count)
    formRamp(
      withInitialValue: &initialValue, multiplyingBy: vector, increment: increment, result: &result)
    return result
  }

  /// The products of two vectors and one ramp. The initial value becomes that of the next call.
  public static func formStereoRamp<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    withInitialValue initialValue: inout V.Element, multiplyingBy multiplierOne: U,
    _ multiplierTwo: U, increment: V.Element, results resultOne: inout V, _ resultTwo: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    let count = multiplierOne.count
    multiplierTwo.expect(count)
    resultOne.expect(count)
    resultTwo.expect(count)
    var (start, step) = (initialValue, increment)
    multiplierOne.read { one in
      multiplierTwo.read { two in
        resultOne.write { first in
          resultTwo.write {
            V.Element.vectorFunctions.vrampmul2(
              one, two, 1, &start, &step, first, $0, 1, UInt(count))
          }
        }
      }
    }
    initialValue = start
  }

  /// The products of two vectors and one ramp. The initial value becomes that of the next call.
  public static func stereoRamp<U: AccelerateBuffer>(
    withInitialValue initialValue: inout U.Element, multiplyingBy multiplierOne: U,
    _ multiplierTwo: U, increment: U.Element
  ) -> (firstOutput: [U.Element], secondOutput: [U.Element]) where U.Element: VectorNumber {
    var first = [U.Element](repeating: 0, count: multiplierOne.count)
    var second = first
    formStereoRamp(
      withInitialValue: &initialValue, multiplyingBy: multiplierOne, multiplierTwo,
      increment: increment, results: &first, &second)
    return (first, second)
  }

  /// A crossfade: from the first element of A to the last of B.
  public static func taperedMerge<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(_ vectorA: T, _ vectorB: U, result: inout V)
  where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    binary(V.Element.vectorFunctions.vtmerg, vectorA, vectorB, &result)
  }

  /// A crossfade: from the first element of A to the last of B.
  public static func taperedMerge<T: AccelerateBuffer, U: AccelerateBuffer>(
    _ vectorA: T, _ vectorB: U
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(vectorA.count) { taperedMerge(vectorA, vectorB, result: &$0) }
  }

  private static func ramp<V: AccelerateMutableBuffer>(
    _ function: VectorFunctions<V.Element>.Ramp, _ a: V.Element, _ b: V.Element, _ result: inout V
  ) where V.Element: VectorNumber {
    let count = UInt(result.count)
    withUnsafePointer(to: a) { a in
      withUnsafePointer(to: b) { b in result.write { function(a, b, $0, 1, count) } }
    }
  }

  // MARK: Windows

  /// The windows of `window(ofType:usingSequence:count:isHalfWindow:)`.
  public enum WindowSequence: Sendable {
    /// Hann, scaled so that the mean square is one.
    case hanningNormalized
    /// Hann, with a peak of one.
    case hanningDenormalized
    /// The Hamming window.
    case hamming
    /// The Blackman window.
    case blackman
  }

  /// Fills a vector with a window. Of a half window, only the first half is written.
  public static func formWindow<V: AccelerateMutableBuffer>(
    usingSequence sequence: WindowSequence, result: inout V, isHalfWindow: Bool
  ) where V.Element: VectorNumber {
    let count = UInt(result.count)
    let half = isHalfWindow ? Int32(vDSP_HALF_WINDOW) : 0
    let functions = V.Element.vectorFunctions
    result.write {
      switch sequence {
      case .hanningNormalized: functions.hannWindow($0, count, half | Int32(vDSP_HANN_NORM))
      case .hanningDenormalized: functions.hannWindow($0, count, half)
      case .hamming: functions.hammWindow($0, count, half)
      case .blackman: functions.blkmanWindow($0, count, half)
      }
    }
  }

  /// A window of `count` elements; the second half of a half window is zero.
  public static func window<N: VectorNumber>(
    ofType: N.Type, usingSequence sequence: WindowSequence, count: Int, isHalfWindow: Bool
  ) -> [N] {
    filled(count) { formWindow(usingSequence: sequence, result: &$0, isHalfWindow: isHalfWindow) }
  }
}
