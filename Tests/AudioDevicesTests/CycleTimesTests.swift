// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import Testing

@Suite("Times of cycles")
struct CycleTimesTests {
  private static let frames = 512
  private static let length = 512.0 / 48_000 * 1e9

  /// The filtered times of measured ones.
  private func times(_ measured: [Double]) -> (times: [UInt64], rateScalar: Double) {
    var loop = CycleTimes(sampleRate: 48_000)
    let times = measured.map { loop.time(of: UInt64($0), frames: Self.frames) }
    return (times, loop.rateScalar)
  }

  private func isAscending(_ times: [UInt64]) -> Bool {
    zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
  }

  @Test("follow a device's clock and filter out scheduling delays")
  func jitter() {
    var state: UInt64 = 1
    let measured = (0..<4_000).map { index -> Double in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // A device that is 100 ppm slow, measured up to two milliseconds late.
      return 1e9 + Double(index) * Self.length * 1.000_1 + Double(state >> 33) / 0x8000_0000 * 2e6
    }
    let (times, scalar) = times(measured)
    #expect(isAscending(times))
    #expect(abs(scalar - 1 / 1.000_1) < 1e-4)
    for (one, next) in zip(times, times.dropFirst()).suffix(1_000) {
      #expect(abs(Double(next - one) - Self.length * 1.000_1) < 0.2e6)
    }
  }

  @Test(
    "continue from the new time after the clock has jumped forward or back",
    arguments: [10e9, -10e9])
  func jump(by nanoseconds: Double) {
    let measured = (0..<2_000).map {
      100e9 + Double($0) * Self.length + ($0 < 1_000 ? 0 : nanoseconds)
    }
    let (times, scalar) = times(measured)
    // Times never go back, and stay close to measured times that are ahead.
    #expect(isAscending(times))
    #expect(abs(scalar - 1) < 1e-3)
    let goal = max(measured[1_999], Double(times[999]))
    #expect(abs(Double(times[1_999]) - goal) < 1e6)
  }
}
