// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import CKernels
import Foundation
@testable import SignalProcessing
import Testing

@Suite("Filter designs")
struct FilterDesignTests {
  @Test("a section is the cookbook's filter", arguments: [20, 440, 5_000, 18_000, 23_000.0])
  func designs(frequency: Double) {
    let design = FilterDesign(sampleRate: 48_000)
    for (q, decibels) in [(0.3, 12.0), (0.7071, -18), (8, 3)] {
      let pairs: [(FilterSection, CookbookFilter)] = [
        (design.lowPass(frequency, q: q), .lowPass(frequency, q: q, rate: 48_000)),
        (design.highPass(frequency, q: q), .highPass(frequency, q: q, rate: 48_000)),
        (design.bandPass(frequency, q: q), .bandPass(frequency, q: q, rate: 48_000)),
        (design.bandStop(frequency, q: q), .bandStop(frequency, q: q, rate: 48_000)),
        (
          design.bell(frequency, q: q, decibels: decibels),
          .bell(frequency, q: q, decibels: decibels, rate: 48_000)
        ),
        (
          design.lowShelf(frequency, q: q, decibels: decibels),
          .lowShelf(frequency, q: q, decibels: decibels, rate: 48_000)
        ),
        (
          design.highShelf(frequency, q: q, decibels: decibels),
          .highShelf(frequency, q: q, decibels: decibels, rate: 48_000)
        ),
      ]
      for (section, cookbook) in pairs {
        let biquad = section.biquad
        let mine = [biquad.b0, biquad.b1, biquad.b2, biquad.a1, biquad.a2]
        let theirs = (cookbook.b + cookbook.a.dropFirst()).map { $0 / cookbook.a[0] }
        for (one, other) in zip(mine, theirs) { #expect(abs(one - other) < 1e-11) }
        for probe in [10, 200, 3_000, 15_000.0] {
          let expected = cookbook.magnitude(at: probe)
          guard expected > 1e-4 else { continue }
          #expect(abs(biquad.magnitude(at: probe / 48_000) / expected - 1) < 1e-6)
        }
      }
    }
  }

  @Test(
    "a band has the requested width, up to half the sample rate",
    arguments: [20, 1_000, 8_000, 20_000.0], [0.05, 0.5, 1, 5.0])
  func bandwidth(frequency: Double, octaves: Double) {
    let design = FilterDesign(sampleRate: 48_000)
    let filter = CookbookFilter.bandPass(
      frequency, q: design.q(frequency, octaves: octaves), rate: 48_000)
    func edge(_ low: Double, _ high: Double, isRising: Bool) -> Double {
      var (low, high) = (low, high)
      for _ in 0..<80 {
        let middle = sqrt(low * high)
        if (filter.magnitude(at: middle) > sqrt(0.5)) == isRising {
          high = middle
        } else {
          low = middle
        }
      }
      return low
    }
    let upper = edge(frequency, 23_999.999, isRising: false)
    let lower = edge(1e-3, frequency, isRising: true)
    #expect(abs(log2(upper / lower) - octaves) < 1e-4)
  }

  @Test("its response has decayed after the stated frames", arguments: [0.5, 2, 40.0])
  func memory(q: Double) {
    let section = FilterDesign(sampleRate: 48_000).bandPass(300, q: q)
    let frames = Int(section.memoryFrames(decibels: 100))
    let response = CookbookFilter.bandPass(300, q: q, rate: 48_000)
      .filter(.impulse(count: 2 * frames))
    #expect(decibels(response.dropping(frames).peak / response.peak) < -94)
    #expect(decibels(response.dropping(frames / 2).peak / response.peak) > -70)
  }
}

@Suite("Cascade of filters")
struct FilterCascadeTests {
  @Test("every processor generation produces the bits of the reference, in runs of any length")
  func generations() {
    for generation in [1, 3, 4] where generation <= kernel_biquad_generation() {
      for sections in 1...(generation == 1 ? 10 : 16) {
        for isStereo in [false, true] { compare(generation, sections, isStereo) }
      }
    }
  }

  private func compare(_ generation: Int, _ sections: Int, _ isStereo: Bool) {
    let lanes = UnsafeMutablePointer<BiquadLanes>.allocate(capacity: 2)
    let samples = UnsafeMutablePointer<Double>.allocate(capacity: 4 * 512)
    defer {
      lanes.deallocate()
      samples.deallocate()
    }
    let design = FilterDesign(sampleRate: 48_000)
    for copy in 0..<2 {
      (lanes + copy).initialize(to: BiquadLanes())
      (lanes + copy).clear()
      for section in 0..<sections {
        (lanes + copy).setBiquad(
          section,
          design.bell(50 * exp2(Double(section) / 2), q: 2, decibels: section % 2 == 0 ? 9 : -9)
            .biquad)
      }
    }
    var seed = UInt64(1)
    for length in [1, 2, 15, 16, 17, 33, 100, 512] {
      for index in 0..<length {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1
        for copy in [0, 2] {
          samples[copy * 512 + index] = Double(Int64(bitPattern: seed)) * 0x1p-63
          samples[copy * 512 + 512 + index] = Double(Int64(bitPattern: seed << 7)) * 0x1p-63
        }
      }
      let right = isStereo ? samples + 512 : samples
      kernel_biquads(samples, right, length, lanes, sections, generation)
      let (left, other) = (samples + 1024, isStereo ? samples + 1536 : samples + 1024)
      BiquadOracle.run(left, other, count: length, lanes + 1, sections: sections)
      for index in 0..<(isStereo ? 512 + length : length)
      where index < length || index >= 512 {
        #expect(samples[index].bitPattern == samples[1024 + index].bitPattern)
      }
    }
  }

  /// The output of a cascade for a signal, in single precision, as in a unit.
  private func run(
    _ cascade: FilterCascade, _ input: Signal, slice: Int = 256, before: (Int) -> Void = { _ in }
  ) -> Signal {
    var output: [Double] = []
    while output.count < input.count {
      before(output.count)
      let frames = min(slice, input.count - output.count)
      let samples = cascade.samples(0)
      for index in 0..<frames {
        samples[index] = Double(Float(input.samples[output.count + index]))
      }
      cascade.run(frames)
      for index in 0..<frames { output.append(Double(Float(samples[index]))) }
    }
    return Signal(output, sampleRate: input.sampleRate)
  }

  private func noise(_ count: Int, rate: Double) -> Signal {
    var seed = UInt64(7)
    return Signal(
      (0..<count).map { _ in
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: seed >> 32)) * 0x1p-32
      }, sampleRate: rate)
  }

  @Test(
    "ten bands stay 150 dB above their error, from the lowest to the highest",
    arguments: [(48_000, 60, 0.8), (192_000, 20, 0.5), (44_100, 31.25, 0.9)])
  func noiseFigure(rate: Double, lowest: Double, spacing: Double) {
    let cascade = FilterCascade.allocate(sectionCount: 10, channelCount: 1, sampleRate: rate)
    defer { cascade.deallocate() }
    let design = FilterDesign(sampleRate: rate)
    let input = noise(96_000, rate: rate)
    var exact = Signal(input.floats, sampleRate: rate)
    for band in 0..<10 {
      let (frequency, gain) = (lowest * exp2(spacing * Double(band)), band % 2 == 0 ? 9.0 : -9)
      cascade.set(band, to: design.bell(frequency, q: 1, decibels: gain))
      exact = CookbookFilter.bell(frequency, q: 1, decibels: gain, rate: rate).filter(exact)
    }
    let error = run(cascade, input).difference(from: exact)
    #expect(decibels(error.rms / exact.rms) < -145)
  }

  @Test(
    "a moving section reaches its target without a step",
    arguments: [20, 1_000, 15_000.0])
  func arrival(frequency: Double) {
    let cascade = FilterCascade.allocate(sectionCount: 2, channelCount: 1, sampleRate: 48_000)
    defer { cascade.deallocate() }
    let design = FilterDesign(sampleRate: 48_000)
    cascade.set(0, to: design.lowPass(frequency, q: 4))
    cascade.set(1, to: design.bell(100, q: 1, decibels: 6))
    let input = noise(12_000, rate: 48_000)
    let still = run(cascade, input)
    // The same filter, forced to move, but to the same place.
    cascade.reset()
    let moved = run(cascade, input, slice: 100) { frame in
      guard frame == 3_000 || frame == 6_000 else { return }
      let q = 4 + (frame == 3_000 ? 1e-9 : 0)
      cascade.set(0, to: design.lowPass(frequency, q: q))
    }
    #expect(moved.largestDifference(from: still) < 1e-6 * still.peak)
  }

  @Test("is like new after a reset during a change")
  func resetAmidChange() {
    func sound(_ isUsed: Bool) -> [Double] {
      let cascade = FilterCascade.allocate(sectionCount: 2, channelCount: 1, sampleRate: 48_000)
      defer { cascade.deallocate() }
      let design = FilterDesign(sampleRate: 48_000)
      let input = noise(6_000, rate: 48_000)
      cascade.set(0, to: design.bell(300, q: 2, decibels: isUsed ? 0.5 : 12))
      if isUsed {
        _ = run(cascade, input)
        cascade.set(0, to: design.bell(300, q: 2, decibels: 12))
        _ = run(cascade, input[0..<256])
        cascade.reset()
      }
      return run(cascade, input) { frame in
        if frame == 1_024 { cascade.set(1, to: design.lowPass(900, q: 1)) }
      }.samples
    }
    #expect(sound(true) == sound(false))
  }

  @Test("changes give the same bits in slices of any size", arguments: [1, 7, 100, 255])
  func cuts(slice: Int) {
    func render(_ slice: Int) -> Signal {
      let cascade = FilterCascade.allocate(sectionCount: 20, channelCount: 1, sampleRate: 48_000)
      defer { cascade.deallocate() }
      let design = FilterDesign(sampleRate: 48_000)
      var output: [Double] = []
      let input = noise(6_000, rate: 48_000)
      for (part, start) in stride(from: 0, to: 6_000, by: 600).enumerated() {
        for band in 0..<20 where (band + part) % 3 == 0 {
          cascade.set(
            band, to: design.bell(100 * Double(band + 1), q: 2, decibels: Double(part * 3 - 12)))
        }
        cascade.setGain(1 / Double(part + 1))
        output += run(cascade, input[start..<start + 600], slice: slice).samples
      }
      return Signal(output)
    }
    #expect(render(slice).samples == render(256).samples)
  }
}

extension Signal {
  /// The difference, sample by sample.
  fileprivate func difference(from other: Signal) -> Signal {
    Signal(zip(samples, other.samples).map { $0 - $1 }, sampleRate: sampleRate)
  }
}
