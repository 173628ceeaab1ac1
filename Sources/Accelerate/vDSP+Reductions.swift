// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// The sum of the elements.
  public static func sum<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.sve, vector)
  }

  /// The sum of the magnitudes.
  public static func sumOfMagnitudes<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.svemg, vector)
  }

  /// The sum of the squares.
  public static func sumOfSquares<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.svesq, vector)
  }

  /// The mean of the elements; NaN if there are none.
  public static func mean<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.meanv, vector)
  }

  /// The mean of the magnitudes; NaN if there are none.
  public static func meanMagnitude<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.meamgv, vector)
  }

  /// The mean of the squares; NaN if there are none.
  public static func meanSquare<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.measqv, vector)
  }

  /// The square root of the mean of the squares; NaN if there are none.
  public static func rootMeanSquare<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.rmsqv, vector)
  }

  /// The greatest element; -∞ if there are none.
  public static func maximum<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.maxv, vector)
  }

  /// The least element; ∞ if there are none.
  public static func minimum<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.minv, vector)
  }

  /// The greatest magnitude; 0 if there are none.
  public static func maximumMagnitude<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.maxmgv, vector)
  }

  /// The least magnitude; ∞ if there are none.
  public static func minimumMagnitude<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    reduce(U.Element.vectorFunctions.minmgv, vector)
  }

  /// The greatest element and its first index.
  public static func indexOfMaximum<U: AccelerateBuffer>(_ vector: U) -> (UInt, U.Element)
  where U.Element: VectorNumber {
    search(U.Element.vectorFunctions.maxvi, vector)
  }

  /// The least element and its first index.
  public static func indexOfMinimum<U: AccelerateBuffer>(_ vector: U) -> (UInt, U.Element)
  where U.Element: VectorNumber {
    search(U.Element.vectorFunctions.minvi, vector)
  }

  /// The greatest magnitude and its first index.
  public static func indexOfMaximumMagnitude<U: AccelerateBuffer>(_ vector: U) -> (UInt, U.Element)
  where U.Element: VectorNumber {
    search(U.Element.vectorFunctions.maxmgvi, vector)
  }

  /// The sum of the products of two vectors.
  public static func dot<T: AccelerateBuffer, U: AccelerateBuffer>(_ vectorA: T, _ vectorB: U)
    -> T.Element where T.Element: VectorNumber, U.Element == T.Element
  {
    sumOfTwo(T.Element.vectorFunctions.dotpr, vectorA, vectorB)
  }

  /// The square of the distance of two points.
  public static func distanceSquared<T: AccelerateBuffer, U: AccelerateBuffer>(
    _ pointA: T, _ pointB: U
  ) -> T.Element where T.Element: VectorNumber, U.Element == T.Element {
    sumOfTwo(T.Element.vectorFunctions.distancesq, pointA, pointB)
  }

  /// The sum of the elements and the sum of their squares.
  public static func sumAndSumOfSquares<U: AccelerateBuffer>(_ vector: U) -> (
    elementsSum: U.Element, squaresSum: U.Element
  ) where U.Element: VectorNumber {
    var (sum, squares): (U.Element, U.Element) = (0, 0)
    vector.read { U.Element.vectorFunctions.sveSvesq($0, 1, &sum, &squares, UInt(vector.count)) }
    return (sum, squares)
  }

  /// The number of changes of sign.
  public static func countZeroCrossings<U: AccelerateBuffer>(_ vector: U) -> UInt
  where U.Element: VectorNumber {
    var (last, total): (UInt, UInt) = (0, 0)
    let count = UInt(vector.count)
    vector.read { U.Element.vectorFunctions.nzcros($0, 1, count, &last, &total, count) }
    return total
  }

  /// The elements minus their mean, divided by their standard deviation; returns both.
  @discardableResult
  public static func normalize<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ vector: U, result: inout V
  ) -> (mean: U.Element, stdDev: U.Element) where U.Element: VectorNumber, V.Element == U.Element {
    let count = vector.count
    result.expect(count)
    var (mean, deviation): (U.Element, U.Element) = (0, 0)
    vector.read { vector in
      result.write {
        U.Element.vectorFunctions.normalize(vector, 1, $0, 1, &mean, &deviation, UInt(count))
      }
    }
    return (mean, deviation)
  }

  /// The elements minus their mean, divided by their standard deviation.
  public static func normalize<U: AccelerateBuffer>(_ vector: U) -> [U.Element]
  where U.Element: VectorNumber {
    filled(vector.count) { normalize(vector, result: &$0) }
  }

  /// The standard deviation of the elements, as that of a whole population; 0 if there are none.
  public static func standardDeviation<U: AccelerateBuffer>(_ vector: U) -> U.Element
  where U.Element: VectorNumber {
    var (mean, deviation): (U.Element, U.Element) = (0, 0)
    vector.read {
      U.Element.vectorFunctions.normalize($0, 1, nil, 1, &mean, &deviation, UInt(vector.count))
    }
    return deviation
  }

  private static func reduce<U: AccelerateBuffer>(
    _ function: VectorFunctions<U.Element>.Reduction, _ vector: U
  ) -> U.Element where U.Element: VectorNumber {
    // The function reads nothing of an empty vector, but its address is not null.
    var result: U.Element = 0
    withUnsafePointer(to: 0 as U.Element) { zero in
      vector.withUnsafeBufferPointer {
        function($0.baseAddress ?? zero, 1, &result, UInt($0.count))
      }
    }
    return result
  }

  private static func search<U: AccelerateBuffer>(
    _ function: VectorFunctions<U.Element>.Search, _ vector: U
  ) -> (UInt, U.Element) where U.Element: VectorNumber {
    require(vector.count > 0, "no element has the index of an extreme")
    var (index, value): (UInt, U.Element) = (0, 0)
    vector.read { function($0, 1, &value, &index, UInt(vector.count)) }
    return (index, value)
  }

  private static func sumOfTwo<T: AccelerateBuffer, U: AccelerateBuffer>(
    _ function: VectorFunctions<T.Element>.ProductSum, _ a: T, _ b: U
  ) -> T.Element where T.Element: VectorNumber, U.Element == T.Element {
    b.expect(a.count)
    var sum: T.Element = 0
    a.read { a in b.read { function(a, 1, $0, 1, &sum, UInt(b.count)) } }
    return sum
  }
}
