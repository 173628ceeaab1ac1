// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import CKernels
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
    kernel_compression(&one, count, -30, 0.003, 12, -0.002)
    for frame in 0..<count {
      let decibels =
        Elementary.log2(max(other[frame], 0x1p-40)) * Elementary.decibelsPerOctave
      let over = decibels - (0.003 * Float(frame) + -30)
      let above = over > 0 ? over : 0
      other[frame] = above * above / (-0.002 * Float(frame) + 12 + above)
    }
    #expect(one == other)
    kernel_gains(&one, count, -3, 0.001)
    for frame in 0..<count {
      let gain = 0.001 * Float(frame) + -3
      other[frame] = Elementary.exp2((gain - other[frame]) * 0x1.542a5ap-3)
    }
    #expect(one == other && one.allSatisfy { $0 > 0 && $0.isFinite })
  }

  @Test("reduce levels by the curve")
  func curve() {
    var reductions = Self.levels
    let curve = LevelCurve(threshold: -30, headRoom: 12)
    kernel_compression(&reductions, reductions.count, -30, 0, 12, 0)
    for (level, reduction) in zip(Self.levels, reductions) where level > 0 {
      let level = Float(decibels(Double(level)))
      #expect(abs(level - reduction - curve.output(of: level)) < 1e-3)
    }
  }
}
