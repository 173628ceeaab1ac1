// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import SignalProcessing
import Testing

@Suite("Fourier transform")
struct FourierTransformTests {
  private func transformed(_ real: [Double], _ imaginary: [Double]) -> ([Double], [Double]) {
    var (real, imaginary) = (real, imaginary)
    FourierTransform(count: real.count).forward(&real, &imaginary)
    return (real, imaginary)
  }

  @Test("is the sum that defines it", arguments: [1, 2, 4, 64, 256])
  func definition(count: Int) {
    var random = Xoshiro256(seed: 7)
    let real = (0..<count).map { _ in Double(random.nextSample()) }
    let imaginary = (0..<count).map { _ in Double(random.nextSample()) }
    let (r, i) = transformed(real, imaginary)
    for bin in 0..<count {
      var (sumReal, sumImaginary) = (0.0, 0.0)
      for n in 0..<count {
        let angle = -2 * Double.pi * Double(bin * n % count) / Double(count)
        sumReal += real[n] * cos(angle) - imaginary[n] * sin(angle)
        sumImaginary += real[n] * sin(angle) + imaginary[n] * cos(angle)
      }
      #expect(abs(r[bin] - sumReal) < 1e-12)
      #expect(abs(i[bin] - sumImaginary) < 1e-12)
    }
  }

  @Test("keeps the energy of 65,536 numbers to thirteen digits")
  func energy() {
    let count = 65_536
    var random = Xoshiro256(seed: 8)
    let real = (0..<count).map { _ in Double(random.nextSample()) }
    let (r, i) = transformed(real, Array(repeating: 0, count: count))
    let before = real.reduce(0) { $0 + $1 * $1 }
    let after = zip(r, i).reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 } / Double(count)
    #expect(abs(after / before - 1) < 1e-13)
  }
}
