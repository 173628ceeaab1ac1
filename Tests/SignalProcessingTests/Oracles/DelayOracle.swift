// SPDX-License-Identifier: Apache-2.0

/// The loops of delays in plain Swift: the C kernels give the same bits.
enum DelayOracle {
  static func mix(
    _ samples: UnsafeMutablePointer<Float>, _ echo: UnsafePointer<Float>,
    into past: UnsafeMutablePointer<Float>, count: Int, feedback: Float, dry: Float, wet: Float
  ) {
    for index in 0..<count {
      let (input, delayed) = (samples[index], echo[index])
      past[index] = input + delayed * feedback
      samples[index] = input * dry + delayed * wet
    }
  }

  static func interpolate(
    _ past: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, groups: Int,
    into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    for group in 0..<groups {
      let (past, taps) = (past + 8 * group, taps + 8 * group)
      for index in 0..<count {
        let one = past[index] * taps[0] + past[index + 1] * taps[1]
        let two = past[index + 2] * taps[2] + past[index + 3] * taps[3]
        let three = past[index + 4] * taps[4] + past[index + 5] * taps[5]
        let four = past[index + 6] * taps[6] + past[index + 7] * taps[7]
        let sum = (one + two) + (three + four)
        output[index] = group == 0 ? sum : output[index] + sum
      }
    }
  }
}
