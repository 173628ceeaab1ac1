// SPDX-License-Identifier: Apache-2.0

import CKernels

@testable import SignalProcessing

/// A cascade of sections in plain Swift, one after the other: the C kernel gives the same bits.
enum BiquadOracle {
  static func run(
    _ left: UnsafeMutablePointer<Double>, _ right: UnsafeMutablePointer<Double>, count: Int,
    _ lanes: UnsafeMutablePointer<BiquadLanes>, sections: Int
  ) {
    // The coefficients: five rows of one number per section.
    let rows = UnsafeRawPointer(lanes).assumingMemoryBound(to: Double.self)
    for section in 0..<sections {
      let (b0, c1, c2, a1, a2) = (
        rows[section], rows[16 + section], rows[32 + section], rows[48 + section],
        rows[64 + section]
      )
      for channel in 0..<(left == right ? 1 : 2) {
        let samples = channel == 0 ? left : right
        var state = lanes.state(section, channel: channel)
        for index in 0..<count {
          let x = samples[index]
          samples[index] = b0 * x + state.s1
          let s1 = (c1 * x + state.s2) - a1 * state.s1
          state.s2 = c2 * x - a2 * state.s1
          state.s1 = s1
        }
        lanes.setState(section, channel: channel, state)
      }
    }
  }
}
