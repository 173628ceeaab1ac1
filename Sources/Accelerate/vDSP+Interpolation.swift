// SPDX-License-Identifier: Apache-2.0

extension vDSP {
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

  /// The lines between points: each value at its index, which ascend. Result n is the value at n; before
  /// the first and after the last index it is the first and the last value.
  public static func linearInterpolate<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(values: T, atIndices indices: U, result: inout V)
  where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    let count = result.count
    indices.expect(values.count)
    values.read { values in
      indices.read { places in
        result.write {
          V.Element.vectorFunctions.vgenp(
            values, 1, places, 1, $0, 1, UInt(count), UInt(indices.count))
        }
      }
    }
  }

  /// The lines between points, up to the last index, whose integer part is that of the last element.
  public static func linearInterpolate<T: AccelerateBuffer, U: AccelerateBuffer>(
    values: T, atIndices indices: U
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    let last = indices.withUnsafeBufferPointer { $0.last } ?? -1
    guard let index = Int(exactly: last.rounded(.down)), index < Int.max else {
      fatalError("Accelerate: the last index is no place in a vector")
    }
    return filled(max(0, index + 1)) {
      linearInterpolate(values: values, atIndices: indices, result: &$0)
    }
  }

  /// What a table has at offset · scale + baseOffset, for each offset: between two elements on the line
  /// between them, outside the first or last element.
  public static func linearInterpolate<
    T: AccelerateBuffer, U: AccelerateBuffer, V: AccelerateMutableBuffer
  >(
    lookupTable: T, withOffsets offsets: U, scale: V.Element = 1, baseOffset: V.Element = 0,
    result: inout V
  ) where V.Element: VectorNumber, T.Element == V.Element, U.Element == V.Element {
    let count = offsets.count
    result.expect(count)
    require(lookupTable.count > 0, "a table has at least one element")
    withUnsafePointer(to: scale) { scale in
      withUnsafePointer(to: baseOffset) { base in
        lookupTable.read { table in
          offsets.read { offsets in
            result.write {
              V.Element.vectorFunctions.vtabi(
                offsets, 1, scale, base, table, UInt(lookupTable.count), $0, 1, UInt(count))
            }
          }
        }
      }
    }
  }

  /// What a table has at offset · scale + baseOffset, for each offset: between two elements on the line
  /// between them, outside the first or last element.
  public static func linearInterpolate<T: AccelerateBuffer, U: AccelerateBuffer>(
    lookupTable: T, withOffsets offsets: U, scale: T.Element = 1, baseOffset: T.Element = 0
  ) -> [T.Element] where T.Element: VectorNumber, U.Element == T.Element {
    filled(offsets.count) {
      linearInterpolate(
        lookupTable: lookupTable, withOffsets: offsets, scale: scale, baseOffset: baseOffset,
        result: &$0)
    }
  }
}
