// SPDX-License-Identifier: Apache-2.0

/// Weighted sums in plain Swift: the C kernel gives the same bits.
enum MixOracle {
  static func mix(
    into output: UnsafeMutablePointer<Float>, count: Int,
    sources: UnsafePointer<UnsafePointer<Float>>, gains: UnsafePointer<Float>, sourceCount: Int
  ) {
    for index in 0..<count {
      var source = 0
      var sum: Float = 0
      if sourceCount >= 4 {
        sum = four(sources, gains, 0, index)
        source = 4
      } else {
        sum = gains[0] * sources[0][index]
        source = 1
      }
      while source + 4 <= sourceCount {
        sum += four(sources, gains, source, index)
        source += 4
      }
      while source < sourceCount {
        sum += gains[source] * sources[source][index]
        source += 1
      }
      output[index] = sum
    }
  }

  private static func four(
    _ sources: UnsafePointer<UnsafePointer<Float>>, _ gains: UnsafePointer<Float>, _ first: Int,
    _ index: Int
  ) -> Float {
    (gains[first] * sources[first][index] + gains[first + 1] * sources[first + 1][index])
      + (gains[first + 2] * sources[first + 2][index]
        + gains[first + 3] * sources[first + 3][index])
  }
}
