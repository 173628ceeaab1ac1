// SPDX-License-Identifier: Apache-2.0

import CKernels
import Testing

@testable import SignalProcessing

@Suite("Resampling kernels")
struct ResamplingKernelTests {
  private typealias Quality = SampleRateConverter.Quality

  /// Ratios whose rows come in groups of 3, 4, 7 and 8, and with a single vector.
  private static let ratios = [(147, 160), (160, 147), (320, 147), (1, 2), (1, 3), (5, 7), (2, 1)]

  @Test("give the same bits as their Swift versions", arguments: ratios)
  func references(down: Int, up: Int) throws {
    var random = Xoshiro256(seed: UInt64(down))
    let input = (0..<4_000).map { _ in random.nextSample() }
    let fine = input.map(Double.init)
    for quality in Quality.allCases {
      for phase in SampleRateConverter.Phase.allCases {
        let design = ResamplingDesign(quality, lowerRate: 44_100, phase: phase)
        let table = FilterTable.table(
          for: try #require(FilterShape(down: down, up: up, design)))
        // From the middle of a group, across the last row to the first ones, a part of one group,
        // and more than one cycle of all rows.
        let rows = table.shape.rows
        let runs = [
          (0, 80), (5 % rows, 75), (rows - 1, 30), (rows / 2, 1), (1, 6), (0, 2 * rows),
          (5 % rows, 3 * rows + 20),
        ]
        for (first, count) in runs {
          var kernel = [Float](repeating: .nan, count: count + 1)
          var reference = kernel
          kernel_resample(&kernel, count, input, fine, table.groups, first)
          ResamplingOracle.resample(
            into: &reference, count: count, from: input, fine: fine, rows: table.groups,
            first: first)
          #expect(kernel.map(\.bitPattern) == reference.map(\.bitPattern))
          #expect(kernel[count].isNaN)
        }
      }
    }
  }

  @Test("have windows that contain all of their rows", arguments: ratios)
  func windows(down: Int, up: Int) throws {
    for quality in Quality.allCases {
      for phase in SampleRateConverter.Phase.allCases {
        let design = ResamplingDesign(quality, lowerRate: 44_100, phase: phase)
        let shape = try #require(FilterShape(down: down, up: up, design))
        let response = FilterResponse(shape)
        for first in stride(from: 0, to: shape.rows, by: shape.group) {
          let rows = (first..<first + shape.group).map {
            response.row(fraction: shape.fraction(of: $0))
          }
          let start = shape.start(ofGroup: first, rows)
          for (row, coefficients) in zip(first..., rows) {
            let own = shape.start(of: row) - start
            let oldest = coefficients.firstIndex { $0 != 0 } ?? 0
            let latest = coefficients.lastIndex { $0 != 0 } ?? 0
            #expect(own + oldest >= 0 && own + latest < shape.width)
          }
        }
      }
    }
  }

  @Test("interpolate rows with the same bits as their Swift version", arguments: [16, 72, 208])
  func interpolation(taps: Int) {
    var random = Xoshiro256(seed: UInt64(taps))
    let input = (0..<2_000).map { _ in random.nextSample() }
    let table = (0..<40 * taps).map { _ in random.nextSample() }
    for (walk, count) in [
      (ResamplingWalk(phase: 5, whole: 1, part: 17, modulus: 37, steps: nil), 401),
      (
        ResamplingWalk(
          phase: (1 << 56) - 1, whole: 0, part: (1 << 55) + 1, modulus: 1 << 56, steps: nil), 63
      ),
    ] {
      // The second of two channels.
      var kernel = [Float](repeating: .nan, count: 1_000)
      var reference = [Float](repeating: .nan, count: count)
      kernel.withUnsafeMutableBufferPointer { kernel in
        guard let start = kernel.baseAddress else { return }
        let channels = [start, start + 500]
        kernel_resample_interpolated(
          channels, 3, count, input, 1_000, 2, table, taps, 32, walk)
      }
      input.withUnsafeBufferPointer { input in
        guard let start = input.baseAddress else { return }
        ResamplingOracle.resampleInterpolated(
          into: &reference, count: count, from: start + 1_000, table: table, taps: taps,
          divisions: 32,
          walk: walk)
      }
      #expect(Array(kernel[503..<503 + count]) == reference)
      #expect(kernel[503 + count].isNaN && kernel[502].isNaN)
    }
  }

  @Test("add the inner taps of interpolated rows with the same bits", arguments: [16, 32])
  func innerTaps(taps: Int) {
    var random = Xoshiro256(seed: UInt64(taps))
    let input = (0..<2_000).map { _ in random.nextSample() }
    let table = (0..<40 * taps).map { _ in Double(random.nextSample()) }
    let fine = input.map { Double($0) * (1 + 0x1p-30) }
    let walk = ResamplingWalk(phase: 5, whole: 1, part: 17, modulus: 37, steps: nil)
    for isFine in [false, true] {
      // The second of two channels.
      var kernel = [Float](repeating: 0.25, count: 1_000)
      kernel.withUnsafeMutableBufferPointer { kernel in
        guard let start = kernel.baseAddress else { return }
        fine.withUnsafeBufferPointer { fine in
          kernel_add_interpolated(
            [start, start + 500], 3, 101, input, isFine ? fine.baseAddress : nil, 1_000, 2, table,
            taps, 32, walk)
        }
      }
      var phase = 5
      var first = 1_000
      for index in 0..<101 {
        let position = Double(phase) * (32 / 37.0)
        let row = Int(position)
        var sums = [SIMD8<Double>](repeating: .zero, count: 4)
        for tap in 0..<taps {
          let sample = isFine ? fine[first + tap] : Double(input[first + tap])
          for line in 0..<4 { sums[line][tap % 8] += sample * table[(row + line) * taps + tap] }
        }
        let t = position - Double(row)
        let (a, b) = (t * (t - 2), (t + 1) * (t - 1))
        let (outer, inner) = ((a * (t - 1)) * (-1.0 / 6), (b * t) * (1.0 / 6))
        let (before, after) = ((b * (t - 2)) * 0.5, (a * (t + 1)) * -0.5)
        let s = (outer * sums[0] + inner * sums[3]) + (before * sums[1] + after * sums[2])
        let even = (s[0] + s[4]) + (s[2] + s[6])
        let odd = (s[1] + s[5]) + (s[3] + s[7])
        #expect(kernel[503 + index] == Float(0.25 + (even + odd)))
        phase += 17
        first += 1 + phase / 37
        phase %= 37
      }
      #expect(kernel[604] == 0.25 && kernel[502] == 0.25)
    }
  }

  @Test(
    "halve the rate with the same bits as their Swift versions",
    arguments: [1, 8, 9, 20, 31, 64, 77],
    [7, 14, 30])
  func halving(count: Int, pairs: Int) {
    var random = Xoshiro256(seed: UInt64(count))
    let even = (0..<300).map { _ in random.nextSample() }
    let odd = (0..<300).map { _ in random.nextSample() }
    let coefficients = (0..<30).map { _ in random.nextSample() }
    let inner = coefficients.map { Double($0) }
    var (kernel, reference) = ([Float](repeating: 0, count: 100), [Float](repeating: 0, count: 100))
    var (fine, fineReference) = (
      [Double](repeating: 0, count: 100), [Double](repeating: 0, count: 100)
    )
    even.withUnsafeBufferPointer { even in
      odd.withUnsafeBufferPointer { odd in
        guard let even = even.baseAddress, let odd = odd.baseAddress else { return }
        kernel_halve(&kernel, count, even + 29, odd + 29, coefficients, pairs)
        ResamplingOracle.halve(
          into: &reference, count: count, even: even + 29, odd: odd + 29,
          coefficients: coefficients,
          pairs: pairs)
        #expect(kernel.prefix(count) == reference.prefix(count))
        kernel_halve_fine(
          &fine, &kernel, count, even + 29, odd + 29, coefficients, pairs, inner, 6)
        ResamplingOracle.halveFine(
          into: &fineReference, and: &reference, count: count, even: even + 29, odd: odd + 29,
          coefficients: coefficients, pairs: pairs, inner: inner, innerPairs: 6)
      }
    }
    #expect(kernel.prefix(count) == reference.prefix(count))
    #expect(fine.prefix(count) == fineReference.prefix(count))
  }

  @Test("share one table per shape, and free it after four others")
  func tables() throws {
    let shape = try #require(
      FilterShape(down: 5, up: 4, ResamplingDesign(.low, lowerRate: 44_100)))
    weak var table: FilterTable?
    do {
      let first = FilterTable.table(for: shape)
      table = first
      #expect(first === FilterTable.table(for: shape))
      #expect(table != nil)
    }
    #expect(table != nil)
    // Other tests may make tables meanwhile, so not even the first of these need exist afterwards.
    for up in [6, 7, 8, 9] {
      let other = try #require(
        FilterShape(down: 5, up: up, ResamplingDesign(.low, lowerRate: 44_100)))
      _ = FilterTable.table(for: other)
    }
    #expect(table == nil)
  }

  @Test("keep tables below 1.5 megabytes", arguments: [8_000.0, 11_025, 44_100, 96_000, 384_000])
  func tableSizes(rate: Double) {
    for other in [8_000, 22_050, 44_100, 47_999, 192_000, 384_000.0] {
      for quality in [Quality.high, .mastering] {
        let design = ResamplingDesign(quality, lowerRate: min(rate, other))
        let between = FilterShape(interpolating: rate / other, design)
        #expect(between.taps * (between.rows + 3) * 4 < 1_500_000)
        if let shape = FilterShape(down: Int(rate), up: Int(other), design) {
          #expect(shape.rows * (shape.width + shape.inner) * 4 < 1_500_000)
        }
      }
    }
  }
}

@Suite("Resampling position")
struct ResamplingPositionTests {
  @Test(
    "counts windows exactly",
    arguments: [(147, 160), (160, 147), (48, 1), (1, 48), (1 << 40 + 1, 1 << 40)]
      as [(UInt64, UInt64)])
  func frames(numerator: UInt64, denominator: UInt64) {
    var position = ResamplingPosition(numerator: numerator, denominator: denominator)
    var total = 0
    for output in 0..<1_000 {
      #expect(total == Int(UInt64(output) * numerator / denominator))
      let next = position.frames(after: 1)
      #expect(position.advance(by: 1) == next)
      total += next
    }
    #expect(position.outputs(within: -1) == 0)
    #expect(position.outputs(within: 0) >= 1)
  }
}
