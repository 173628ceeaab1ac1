// SPDX-License-Identifier: Apache-2.0

@testable import SignalProcessing

extension EarDelay {
  /// `read` with a moving delay in plain Swift: the C kernel gives the same bits.
  func readMovingOracle(
    _ now: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int, delay: Float,
    step: Float, longest: Int
  ) {
    for index in 0..<count {
      let (whole, row) = filter(Self.limited(delay + step * Float(index), Float(longest)))
      let past = UnsafeRawPointer(now + (index - whole - 15)).loadUnaligned(as: Row.self) * row
      let eight = past.lowHalf + past.highHalf
      let four = eight.lowHalf + eight.highHalf
      output[index] = (four.x + four.z) + (four.y + four.w)
    }
  }
}
