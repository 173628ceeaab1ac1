// SPDX-License-Identifier: Apache-2.0

extension vDSP {
  /// Coordinates as magnitude, in the place of the real part, and angle from -π to π.
  public static func rectangularToPolar<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ rectangularCoordinates: U, result: inout V
  ) where U.Element == DSPComplex, V.Element == DSPComplex {
    pairs(vDSP_polar, rectangularCoordinates, &result)
  }

  /// Coordinates as magnitude, in the place of the real part, and angle from -π to π.
  public static func rectangularToPolar<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ rectangularCoordinates: U, result: inout V
  ) where U.Element == DSPDoubleComplex, V.Element == DSPDoubleComplex {
    pairs(vDSP_polarD, rectangularCoordinates, &result)
  }

  /// Coordinates as magnitude, in the place of the real part, and angle from -π to π.
  public static func rectangularToPolar<U: AccelerateBuffer>(
    _ rectangularCoordinates: U
  ) -> [DSPComplex] where U.Element == DSPComplex {
    var result = [DSPComplex](repeating: DSPComplex(), count: rectangularCoordinates.count)
    rectangularToPolar(rectangularCoordinates, result: &result)
    return result
  }

  /// Coordinates as magnitude, in the place of the real part, and angle from -π to π.
  public static func rectangularToPolar<U: AccelerateBuffer>(
    _ rectangularCoordinates: U
  ) -> [DSPDoubleComplex] where U.Element == DSPDoubleComplex {
    var result = [DSPDoubleComplex](
      repeating: DSPDoubleComplex(), count: rectangularCoordinates.count)
    rectangularToPolar(rectangularCoordinates, result: &result)
    return result
  }

  /// Magnitudes, in the place of the real part, and angles as coordinates.
  public static func polarToRectangular<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ polarCoordinates: U, result: inout V
  ) where U.Element == DSPComplex, V.Element == DSPComplex {
    pairs(vDSP_rect, polarCoordinates, &result)
  }

  /// Magnitudes, in the place of the real part, and angles as coordinates.
  public static func polarToRectangular<U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ polarCoordinates: U, result: inout V
  ) where U.Element == DSPDoubleComplex, V.Element == DSPDoubleComplex {
    pairs(vDSP_rectD, polarCoordinates, &result)
  }

  /// Magnitudes, in the place of the real part, and angles as coordinates.
  public static func polarToRectangular<U: AccelerateBuffer>(
    _ polarCoordinates: U
  ) -> [DSPComplex] where U.Element == DSPComplex {
    var result = [DSPComplex](repeating: DSPComplex(), count: polarCoordinates.count)
    polarToRectangular(polarCoordinates, result: &result)
    return result
  }

  /// Magnitudes, in the place of the real part, and angles as coordinates.
  public static func polarToRectangular<U: AccelerateBuffer>(
    _ polarCoordinates: U
  ) -> [DSPDoubleComplex] where U.Element == DSPDoubleComplex {
    var result = [DSPDoubleComplex](repeating: DSPDoubleComplex(), count: polarCoordinates.count)
    polarToRectangular(polarCoordinates, result: &result)
    return result
  }

  /// Calls a function of adjacent pairs of numbers; a complex number is such a pair.
  private static func pairs<N, U: AccelerateBuffer, V: AccelerateMutableBuffer>(
    _ function: (UnsafePointer<N>, Int, UnsafeMutablePointer<N>, Int, UInt) -> Void, _ source: U,
    _ result: inout V
  ) where U.Element == V.Element {
    let count = source.count
    result.expect(count)
    source.read { source in
      result.write {
        function(
          UnsafeRawPointer(source).assumingMemoryBound(to: N.self), 2,
          UnsafeMutableRawPointer($0).assumingMemoryBound(to: N.self), 2, UInt(count))
      }
    }
  }
}
