// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  // MARK: Filters

  /// Convolution: each result is the sum of the products of as many elements as the kernel has with the
  /// reversed kernel. The vector has at least `result.count + kernel.count - 1` elements.
  public static func convolve<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: T, withKernel kernel: U, result: inout V
  ) where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    filter(vector, kernel, &result, isReversed: true)
  }

  /// Convolution, with `vector.count - kernel.count + 1` results.
  public static func convolve<T: AccelerateBuffer, U: AccelerateBuffer>(
    _ vector: T, withKernel kernel: U
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(filteredCount(vector.count, kernel.count)) {
      convolve(vector, withKernel: kernel, result: &$0)
    }
  }

  /// Correlation: as `convolve(_:withKernel:result:)`, but the kernel is not reversed.
  public static func correlate<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(_ vector: T, withKernel kernel: U, result: inout V)
  where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    filter(vector, kernel, &result, isReversed: false)
  }

  /// Correlation, with `vector.count - kernel.count + 1` results.
  public static func correlate<T: AccelerateBuffer, U: AccelerateBuffer>(
    _ vector: T, withKernel kernel: U
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(filteredCount(vector.count, kernel.count)) {
      correlate(vector, withKernel: kernel, result: &$0)
    }
  }

  /// Filters, and keeps one result of each `decimationFactor`.
  public static func downsample<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(_ source: T, decimationFactor: Int, filter: U, result: inout V)
  where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    let count = result.count
    guard count > 0 else { return }
    require(decimationFactor > 0, "a decimation factor is at least one")
    require(
      source.count >= (count - 1) * decimationFactor + filter.count,
      "\(source.count) elements are too few for \(count) results")
    source.read { source in
      filter.read { taps in
        result.write {
          V.Element.vectorFunctions.desamp(
            source, decimationFactor, taps, $0, UInt(count), UInt(filter.count))
        }
      }
    }
  }

  /// Filters, and keeps one result of each `decimationFactor`, of which there are
  /// `(source.count - filter.count) / decimationFactor + 1`.
  public static func downsample<T: AccelerateBuffer, U: AccelerateBuffer>(
    _ source: T, decimationFactor: Int, filter: U
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    require(decimationFactor > 0, "a decimation factor is at least one")
    let count =
      source.count < filter.count ? 0 : (source.count - filter.count) / decimationFactor + 1
    return filled(count) {
      downsample(source, decimationFactor: decimationFactor, filter: filter, result: &$0)
    }
  }

  /// A section with two poles and two zeros: from the third element on, each result is x[n] c.0 +
  /// x[n - 1] c.1 + x[n - 2] c.2 - y[n - 1] c.3 - y[n - 2] c.4. The first two elements of the result
  /// are those before, and stay.
  public static func twoPoleTwoZeroFilter<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ source: U, coefficients: (V.Element, V.Element, V.Element, V.Element, V.Element),
    result: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    let count = source.count
    result.expect(count)
    guard count > 2 else { return }
    withUnsafePointer(to: coefficients) { coefficients in
      // The elements of such a tuple are adjacent.
      let taps = UnsafeRawPointer(coefficients).assumingMemoryBound(to: V.Element.self)
      source.read { source in
        result.write { V.Element.vectorFunctions.deq22(source, 1, taps, $0, 1, UInt(count - 2)) }
      }
    }
  }

  /// A section with two poles and two zeros; the first two results are zero.
  public static func twoPoleTwoZeroFilter<U: AccelerateBuffer>(
    _ source: U, coefficients: (U.Element, U.Element, U.Element, U.Element, U.Element)
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(source.count) { twoPoleTwoZeroFilter(source, coefficients: coefficients, result: &$0) }
  }

  private static func filteredCount(_ count: Int, _ taps: Int) -> Int { max(0, count - taps + 1) }

  private static func filter<T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: T, _ kernel: U, _ result: inout V, isReversed: Bool
  ) where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    let (count, taps) = (result.count, kernel.count)
    guard count > 0 else { return }
    require(taps > 0, "a kernel has at least one element")
    require(
      vector.count >= count + taps - 1, "\(vector.count) elements are too few for \(count) results")
    vector.read { vector in
      kernel.read { kernel in
        let (first, stride) = isReversed ? (kernel + (taps - 1), -1) : (kernel, 1)
        result.write {
          V.Element.vectorFunctions.conv(vector, 1, first, stride, $0, 1, UInt(count), UInt(taps))
        }
      }
    }
  }

  // MARK: Sums

  /// The rules of `integrate(_:using:stepSize:)`.
  public enum IntegrationRule: Sendable {
    /// Each result is the sum of the elements after the first.
    case runningSum
    /// Parabolas through three values.
    case simpson
    /// Lines through two values.
    case trapezoidal
  }

  /// The integral up to each element; the first is zero.
  public static func integrate<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, using rule: IntegrationRule, stepSize: V.Element = 1, result: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    let functions = V.Element.vectorFunctions
    switch rule {
    case .runningSum: withNumber(functions.vrsum, vector, stepSize, &result)
    case .simpson: withNumber(functions.vsimps, vector, stepSize, &result)
    case .trapezoidal: withNumber(functions.vtrapz, vector, stepSize, &result)
    }
  }

  /// The integral up to each element; the first is zero.
  public static func integrate<U: AccelerateBuffer>(
    _ vector: U, using rule: IntegrationRule, stepSize: U.Element = 1
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(vector.count) { integrate(vector, using: rule, stepSize: stepSize, result: &$0) }
  }

  /// The sums of each `windowLength` adjacent elements. The vector has at least
  /// `result.count + windowLength - 1` elements.
  public static func slidingWindowSum<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, usingWindowLength windowLength: Int, result: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    let count = result.count
    guard count > 0 else { return }
    require(
      windowLength > 0 && vector.count >= count + windowLength - 1,
      "\(vector.count) elements are too few for \(count) windows of \(windowLength)")
    vector.read { vector in
      result.write {
        V.Element.vectorFunctions.vswsum(vector, 1, $0, 1, UInt(count), UInt(windowLength))
      }
    }
  }

  /// The sums of each `windowLength` adjacent elements.
  public static func slidingWindowSum<U: AccelerateBuffer>(
    _ vector: U, usingWindowLength windowLength: Int
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(filteredCount(vector.count, windowLength)) {
      slidingWindowSum(vector, usingWindowLength: windowLength, result: &$0)
    }
  }
}
