// SPDX-License-Identifier: Apache-2.0

import CKernels
import Testing

@testable import SignalProcessing

@Suite("Resampling kernels")
struct ResamplingKernelTests {
  @Test("are to the bit what their Swift twins make", arguments: [16, 48, 128, 208])
  func twins(taps: Int) {
    var random = Xoshiro256(seed: UInt64(taps))
    let input = (0..<1_000).map { _ in random.nextSample() }
    let table = (0..<40 * taps).map { _ in random.nextSample() }
    let walk = ResamplingWalk(phase: 5, whole: 1, part: 17, modulus: 37)
    var kernel = [Float](repeating: .nan, count: 400)
    var twin = kernel
    ResamplingKernel.resample(
      into: &kernel, count: 400, from: input, table: table, taps: taps, walk: walk)
    ResamplingKernel.resampleReference(
      into: &twin, count: 400, from: input, table: table, taps: taps, walk: walk)
    #expect(kernel == twin)
    ResamplingKernel.resampleInterpolated(
      into: &kernel, count: 400, from: input, table: table, taps: taps, divisions: 32, walk: walk)
    ResamplingKernel.resampleInterpolatedReference(
      into: &twin, count: 400, from: input, table: table, taps: taps, divisions: 32, walk: walk)
    #expect(kernel == twin)
  }

  @Test("share one table for each ratio and quality, and let it go")
  func tables() {
    let key = FilterTable.Key(ratio: 1.25, quality: .low, phaseCount: 4)
    weak var table: FilterTable?
    do {
      let first = FilterTable.table(for: key)
      table = first
      #expect(first === FilterTable.table(for: key))
      #expect(table != nil)
    }
    #expect(table == nil)
  }

  @Test("keep tables below 1.5 megabytes", arguments: [8_000.0, 11_025, 44_100, 96_000, 384_000])
  func tableSizes(rate: Double) {
    for other in [8_000, 22_050, 44_100, 47_999, 192_000, 384_000.0] {
      let ratio = rate / other
      let taps = FilterTable.taps(ratio: ratio, quality: .mastering)
      let table = FilterTable.table(
        for: .init(ratio: ratio, quality: .mastering, phaseCount: nil))
      #expect(table.taps == taps)
      #expect(table.taps * (table.divisions + 3) * 4 < 1_500_000)
    }
  }
}

@Suite("Resampling position")
struct ResamplingPositionTests {
  @Test(
    "counts windows exactly",
    arguments: [(147, 160), (160, 147), (48, 1), (1, 48)] as [(UInt64, UInt64)])
  func frames(numerator: UInt64, denominator: UInt64) {
    var position = ResamplingPosition(numerator: numerator, denominator: denominator)
    var total = 0
    for output in 0..<1_000 {
      #expect(total == Int(UInt64(output) * numerator / denominator))
      total += position.frames(after: 1)
      position.advance(by: 1)
    }
    #expect(position.outputs(within: -1) == 0)
    #expect(position.outputs(within: 0) >= 1)
  }
}
