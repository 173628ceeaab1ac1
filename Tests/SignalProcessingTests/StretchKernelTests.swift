// SPDX-License-Identifier: Apache-2.0

import CKernels
@testable import SignalProcessing
import Testing

@Suite("Kernels of stretching")
struct StretchKernelTests {
  private let memory = OwnedMemory()

  private func noise(_ count: Int, seed: UInt64) -> UnsafeMutablePointer<Float> {
    var random = Xoshiro256(seed: seed)
    let samples = memory.array(count, of: Float(0))
    for index in 0..<count { samples[index] = random.nextSample() }
    return samples
  }

  private func same(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int
  ) -> Bool { (0..<count).allSatisfy { a[$0].bitPattern == b[$0].bitPattern } }

  private func blank(_ count: Int) -> UnsafeMutablePointer<Float> { memory.array(count, of: 0) }

  @Test(
    "transform with the same bits as their Swift versions", arguments: [(64, 8), (64, 2), (16, 4)])
  func passes(size: Int, stride: Int) {
    defer { memory.deallocate() }
    let count = 8 * size * stride
    let (r, i, factors) = (noise(count, seed: 1), noise(count, seed: 2), noise(6 * size, seed: 3))
    for size in [size, 2] {
      let (a, b, c, d) = (blank(count), blank(count), blank(count), blank(count))
      StretchKernel.pass(a, b, r, i, factors, size: size, stride: stride)
      StretchKernel.passReference(c, d, r, i, factors, size: size, stride: stride)
      #expect(same(a, c, count) && same(b, d, count))
    }
  }

  @Test("window, join, split, merge and add with the same bits as their Swift versions")
  func ends() {
    defer { memory.deallocate() }
    let count = 512
    let tables = (4..<9).map { noise(count, seed: $0) }
    var transform = StretchTransform(
      count: count, factors: tables[0], lastReal: tables[1], lastImaginary: tables[2],
      splitReal: tables[3], splitImaginary: tables[4])
    let (r, i, window) = (
      noise(count + 16, seed: 9), noise(2 * count + 16, seed: 10), noise(2 * count, seed: 11)
    )
    func check(
      _ kernel: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void,
      _ twin: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void
    ) {
      let all = (0..<4).map { _ in blank(2 * count + 16) }
      kernel(all[0], all[1])
      twin(all[2], all[3])
      #expect(same(all[0], all[2], 2 * count) && same(all[1], all[3], 2 * count))
    }
    check(
      { StretchKernel.window($0, $1, i, window, count: count) },
      { StretchKernel.windowReference($0, $1, i, window, count: count) })
    check(
      { StretchKernel.join($0, $1, r, i, &transform) },
      { StretchKernel.joinReference($0, $1, r, i, &transform) })
    check(
      { StretchKernel.split($0, $1, r, i, &transform) },
      { StretchKernel.splitReference($0, $1, r, i, &transform) })
    check(
      { StretchKernel.merge($0, $1, r, i, &transform) },
      { StretchKernel.mergeReference($0, $1, r, i, &transform) })
    check(
      { to, _ in StretchKernel.add(to, r, i, window, count: count) },
      { to, _ in StretchKernel.addReference(to, r, i, window, count: count) })
    check(
      { to, _ in StretchKernel.correlate(to, r, i, count: 384) },
      { to, _ in StretchKernel.correlateReference(to, r, i, count: 384) })
    for (gain, isFirst) in [(Float(0.7), true), (1, false)] {
      check(
        { to, _ in
          StretchKernel.halve(to, r, gain: 1, count: 203, isFirst: true)
          StretchKernel.halve(to, i + 1, gain: gain, count: 203, isFirst: isFirst)
        },
        { to, _ in
          StretchKernel.halveReference(to, r, gain: 1, count: 203, isFirst: true)
          StretchKernel.halveReference(to, i + 1, gain: gain, count: 203, isFirst: isFirst)
        })
    }
    check(
      { to, _ in StretchKernel.energies(to, r + 1) },
      { to, _ in StretchKernel.energiesReference(to, r + 1) })
  }

  @Test("find phases with the same bits as their Swift versions")
  func phases() {
    defer { memory.deallocate() }
    let count = 512
    func spectrum(_ seed: UInt64) -> StretchSpectrum {
      StretchSpectrum(
        real: noise(count + 16, seed: seed), imaginary: noise(count + 16, seed: seed + 50))
    }
    let (a, b, y, keep) = (spectrum(1), spectrum(2), spectrum(3), noise(count, seed: 4))
    var results: [[Float]] = []
    for isTwin in [false, true] {
      let (power, products) = (blank(count + 16), spectrum(5))
      let (rotation, own, rotated, onset) = (spectrum(6), spectrum(7), spectrum(8), spectrum(9))
      for isFirst in [true, false] {
        (isTwin ? StretchKernel.productsReference : StretchKernel.products)(
          power, products.real, products.imaginary, a, y, b, count, isFirst)
      }
      let peaks = memory.array(count + 16, of: Int32(0))
      let found = (isTwin ? StretchKernel.peaksReference : StretchKernel.peaks)(
        peaks, power, 2..<count)
      #expect(found > 50)
      var end = 0
      for range in [0..<found / 2, found / 2..<found] {
        end = (isTwin ? StretchKernel.regionsReference : StretchKernel.regions)(
          rotation, power, products, peaks, found, range, end, count)
      }
      #expect(end == count)
      (isTwin ? StretchKernel.rotationsReference : StretchKernel.rotations)(own, products, count)
      (isTwin ? StretchKernel.rotateReference : StretchKernel.rotate)(rotated, a, rotation, count)
      (isTwin ? StretchKernel.rotateBeforeReference : StretchKernel.rotateBefore)(
        onset, a, b, keep, rotation, count)
      results.append(
        [rotation, own, rotated, onset].flatMap { part in
          (0..<count).flatMap { [part.real[$0], part.imaginary[$0]] }
        })
    }
    #expect(results[0] == results[1])
  }

  @Test("give the spectrum of a tone, and the tone from it", arguments: [128, 512, 1024, 4096])
  func transform(size: Int) {
    defer { memory.deallocate() }
    let transform = SteppedTransform(size: size, in: memory)
    let (samples, window, again) = (blank(size), blank(size), blank(size))
    for index in 0..<size {
      samples[index] = Float(SteppedTransform.cosine(turns: 9 * Double(index) / Double(size) + 0.1))
      window[index] = 1
    }
    let (real, imaginary) = (blank(size), blank(size))
    for step in 0..<transform.stepCount {
      transform.forward(step, samples, window: window, real, imaginary)
    }
    let half = Float(size / 2)
    for bin in 0..<size / 2 {
      let expected: Float = bin == 9 ? half : 0
      let level = (real[bin] * real[bin] + imaginary[bin] * imaginary[bin]).squareRoot()
      #expect(abs(level - expected) < 1e-4 * half)
    }
    (real[size / 2], imaginary[size / 2]) = (0, 0)
    for step in 0..<transform.stepCount {
      transform.inverse(step, real, imaginary, window: window, adding: again)
    }
    for index in 0..<size {
      #expect(abs(again[index] / Float(size) - samples[index]) < 1e-5)
    }
  }
}
