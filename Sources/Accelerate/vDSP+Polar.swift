// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// Pairs of coordinates as pairs of magnitude and angle, from -π to π.
  public static func rectangularToPolar<U: AccelerateBuffer>(
    _ rectangularCoordinates: U
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(rectangularCoordinates.count) {
      convert(rectangularCoordinates: rectangularCoordinates, toPolarCoordinates: &$0)
    }
  }

  /// Pairs of coordinates as pairs of magnitude and angle, from -π to π.
  public static func convert<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    rectangularCoordinates: U, toPolarCoordinates polarCoordinates: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    pairs(V.Element.vectorFunctions.polar, rectangularCoordinates, &polarCoordinates)
  }

  /// Pairs of magnitude and angle as pairs of coordinates.
  public static func polarToRectangular<U: AccelerateBuffer>(
    _ polarCoordinates: U
  ) -> [U.Element] where U.Element: VectorNumber {
    filled(polarCoordinates.count) {
      convert(polarCoordinates: polarCoordinates, toRectangularCoordinates: &$0)
    }
  }

  /// Pairs of magnitude and angle as pairs of coordinates.
  public static func convert<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    polarCoordinates: U, toRectangularCoordinates rectangularCoordinates: inout V
  ) where V.Element: VectorNumber, U.Element == V.Element {
    pairs(V.Element.vectorFunctions.rect, polarCoordinates, &rectangularCoordinates)
  }

  /// Calls a function of adjacent pairs of numbers.
  private static func pairs<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ function: VectorFunctions<V.Element>.Unary, _ source: U, _ result: inout V
  ) where U.Element == V.Element {
    let count = source.count
    require(count.isMultiple(of: 2), "\(count) elements are no pairs")
    result.expect(count)
    source.read { source in result.write { function(source, 2, $0, 2, UInt(count / 2)) } }
  }
}
