// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// What `threshold(_:to:with:)` makes of elements below the bound.
  public enum ThresholdRule<T: BinaryFloatingPoint> {
    /// They become the bound.
    case clampToThreshold
    /// They become zero.
    case zeroFill
    /// They become the negative of the number, and the others the number.
    case signedConstant(T)
  }

  /// Each element, limited to a range.
  public static func clip<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, to bounds: ClosedRange<U.Element>, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    withNumbers(
      V.Element.vectorFunctions.vclip, vector, bounds.lowerBound, bounds.upperBound, &result)
  }
  public static func clip<U: AccelerateBuffer>(_ vector: U, to bounds: ClosedRange<U.Element>) -> [U
    .Element] where U.Element: VectorNumber
  {
    filled(vector.count) { clip(vector, to: bounds, result: &$0) }
  }

  /// Each element outside of a range; inside, its lower end for negative elements and its upper end for others.
  public static func invertedClip<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, to bounds: ClosedRange<U.Element>, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    withNumbers(
      V.Element.vectorFunctions.viclip, vector, bounds.lowerBound, bounds.upperBound, &result)
  }
  public static func invertedClip<U: AccelerateBuffer>(
    _ vector: U, to bounds: ClosedRange<U.Element>
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(vector.count) { invertedClip(vector, to: bounds, result: &$0) }
  }

  /// Each element that is not below a bound; others by a rule.
  public static func threshold<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, to lowerBound: U.Element, with rule: ThresholdRule<U.Element>, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    switch rule {
    case .clampToThreshold: withNumber(V.Element.vectorFunctions.vthr, vector, lowerBound, &result)
    case .zeroFill: withNumber(V.Element.vectorFunctions.vthres, vector, lowerBound, &result)
    case .signedConstant(let constant):
      withNumbers(V.Element.vectorFunctions.vthrsc, vector, lowerBound, constant, &result)
    }
  }
  public static func threshold<U: AccelerateBuffer>(
    _ vector: U, to lowerBound: U.Element, with rule: ThresholdRule<U.Element>
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(vector.count) { threshold(vector, to: lowerBound, with: rule, result: &$0) }
  }

  /// A constant for each element that is at least the limit, its negative for others.
  public static func limit<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, limit: U.Element, withOutputConstant constant: U.Element, result: inout V
  ) where U.Element: VectorNumber, V.Element == U.Element {
    withNumbers(V.Element.vectorFunctions.vlim, vector, limit, constant, &result)
  }
  public static func limit<U: AccelerateBuffer>(
    _ vector: U, limit: U.Element, withOutputConstant constant: U.Element
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(vector.count) {
      vDSP.limit(vector, limit: limit, withOutputConstant: constant, result: &$0)
    }
  }
}
