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
      kernel_stretch_pass(a, b, r, i, factors, size, stride)
      StretchOracle.pass(c, d, r, i, factors, size: size, stride: stride)
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
      _ reference: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void
    ) {
      let all = (0..<4).map { _ in blank(2 * count + 16) }
      kernel(all[0], all[1])
      reference(all[2], all[3])
      #expect(same(all[0], all[2], 2 * count) && same(all[1], all[3], 2 * count))
    }
    check(
      { kernel_stretch_window($0, $1, i, window, count) },
      { StretchOracle.window($0, $1, i, window, count: count) })
    check(
      { kernel_stretch_join($0, $1, r, i, &transform) },
      { StretchOracle.join($0, $1, r, i, &transform) })
    check(
      { kernel_stretch_split($0, $1, r, i, &transform) },
      { StretchOracle.split($0, $1, r, i, &transform) })
    check(
      { kernel_stretch_merge($0, $1, r, i, &transform) },
      { StretchOracle.merge($0, $1, r, i, &transform) })
    check(
      { to, _ in kernel_stretch_add(to, r, i, window, count) },
      { to, _ in StretchOracle.add(to, r, i, window, count: count) })
    check(
      { to, _ in kernel_stretch_correlate(to, r, i, 384) },
      { to, _ in StretchOracle.correlate(to, r, i, count: 384) })
    for (gain, isFirst) in [(Float(0.7), true), (1, false)] {
      check(
        { to, _ in
          kernel_stretch_halve(to, r, 1, 203, 1)
          kernel_stretch_halve(to, i + 1, gain, 203, isFirst ? 1 : 0)
        },
        { to, _ in
          StretchOracle.halve(to, r, gain: 1, count: 203, isFirst: true)
          StretchOracle.halve(to, i + 1, gain: gain, count: 203, isFirst: isFirst)
        })
    }
    check(
      { to, _ in kernel_stretch_energies(to, r + 1) },
      { to, _ in StretchOracle.energies(to, r + 1) })
  }

  @Test("find phases with the same bits as their Swift versions")
  func phases() {
    defer { memory.deallocate() }
    let count = 512
    func spectrum(_ seed: UInt64) -> Spectrum {
      Spectrum(
        real: noise(count + 16, seed: seed), imaginary: noise(count + 16, seed: seed + 50))
    }
    let (a, b, y, keep) = (spectrum(1), spectrum(2), spectrum(3), noise(count, seed: 4))
    var results: [[Float]] = []
    for isReference in [false, true] {
      let (power, products) = (blank(count + 16), spectrum(5))
      let (rotation, own, rotated, onset) = (spectrum(6), spectrum(7), spectrum(8), spectrum(9))
      for isFirst in [true, false] {
        if isReference {
          StretchOracle.products(
            power, products.real, products.imaginary, x: a, y: y, b: b, count: count,
            isFirst: isFirst)
        } else {
          kernel_stretch_products(
            power, products.real, products.imaginary, a.real, a.imaginary, y.real, y.imaginary,
            b.real, b.imaginary, count, isFirst ? 1 : 0)
        }
      }
      let peaks = memory.array(count + 16, of: Int32(0))
      let found =
        isReference
        ? StretchOracle.peaks(peaks, power, 2..<count)
        : kernel_stretch_peaks(peaks, power, 2, count)
      #expect(found > 50)
      var end = 0
      for range in [0..<found / 2, found / 2..<found] {
        end =
          isReference
          ? StretchOracle.regions(
            rotation, power, products, peaks, peakCount: found, range, start: end, count: count)
          : kernel_stretch_regions(
            rotation.real, rotation.imaginary, power, products.real, products.imaginary, peaks,
            found, range.lowerBound, range.upperBound, end, count)
      }
      #expect(end == count)
      if isReference {
        StretchOracle.rotations(own, products, count: count)
        StretchOracle.rotate(rotated, a, by: rotation, count: count)
        StretchOracle.rotateBefore(onset, a, before: b, keep: keep, by: rotation, count: count)
      } else {
        kernel_stretch_rotations(
          own.real, own.imaginary, products.real, products.imaginary, count)
        kernel_stretch_rotate(
          rotated.real, rotated.imaginary, a.real, a.imaginary, rotation.real, rotation.imaginary,
          count)
        kernel_stretch_rotate_before(
          onset.real, onset.imaginary, a.real, a.imaginary, b.real, b.imaginary, keep,
          rotation.real, rotation.imaginary, count)
      }
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
