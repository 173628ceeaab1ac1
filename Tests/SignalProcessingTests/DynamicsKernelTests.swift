// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Testing

@testable import SignalProcessing

@Suite("Dynamics kernels")
struct DynamicsKernelTests {
  /// Levels from silence to far above full scale.
  private static let levels: [Float] = (0..<5_003).map { index in
    index % 50 == 0 ? 0 : Elementary.exp2(Float(index % 997) * 0.06 - 42)
  }

  @Test("give the same bits in C and in Swift", arguments: [1, 7, 64, 5_003])
  func compression(count: Int) {
    var (one, other) = (Array(Self.levels[..<count]), Array(Self.levels[..<count]))
    let threshold = DynamicsKernel.Line(-30, step: 0.003)
    let headRoom = DynamicsKernel.Line(12, step: -0.002)
    DynamicsKernel.compress(&one, count: count, threshold: threshold, headRoom: headRoom)
    DynamicsKernel.compressReference(&other, count: count, threshold: threshold, headRoom: headRoom)
    #expect(one == other)
    let gain = DynamicsKernel.Line(-3, step: 0.001)
    DynamicsKernel.makeGains(&one, count: count, gain: gain)
    DynamicsKernel.makeGainsReference(&other, count: count, gain: gain)
    #expect(one == other && one.allSatisfy { $0 > 0 && $0.isFinite })
  }

  @Test("reduce levels by the curve")
  func curve() {
    var reductions = Self.levels
    let curve = LevelCurve(threshold: -30, headRoom: 12)
    DynamicsKernel.compress(
      &reductions, count: reductions.count, threshold: .init(-30, step: 0),
      headRoom: .init(12, step: 0))
    for (level, reduction) in zip(Self.levels, reductions) where level > 0 {
      let level = Float(decibels(Double(level)))
      #expect(abs(level - reduction - curve.output(of: level)) < 1e-3)
    }
  }
}
