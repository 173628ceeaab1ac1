// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignalProcessing
import Testing

@Suite("Powers and logarithms of the render path")
struct ExponentialTests {
  /// Floats spread evenly over the logarithm, and those around one.
  private static let numbers: [Float] =
    (0..<200_000).map { Float(Foundation.exp2(-120 + 240 * Double($0) / 200_000)) }
    + (-50_000..<50_000).map { Float(bitPattern: UInt32(0x3f80_0000 + $0 * 37)) }

  @Test("give logarithms to 2e-7 or the last two places")
  func logarithms() {
    var worst = 0.0
    for number in Self.numbers {
      let exact = Foundation.log2(Double(number))
      let error = abs(Double(Exponentials.log2(number)) - exact)
      worst = max(worst, error / max(2e-7, abs(exact) * 0x1p-22))
    }
    #expect(worst <= 1)
    #expect(Exponentials.log2(Float(1)) == 0)
    for exponent in -126...127 {
      #expect(
        Exponentials.log2(Float(sign: .plus, exponent: exponent, significand: 1)) == Float(exponent)
      )
    }
  }

  @Test("give powers to the last place")
  func powers() {
    var worst = 0.0
    for index in -126_000..<127_000 {
      let value = Float(index) / 1000
      let exact = Foundation.exp2(Double(value))
      worst = max(worst, abs(Double(Exponentials.exp2(value)) / exact - 1))
    }
    #expect(worst <= 0x1p-23)
    for exponent in -126...127 {
      #expect(
        Exponentials.exp2(Float(exponent))
          == Float(sign: .plus, exponent: exponent, significand: 1))
    }
    #expect(Exponentials.exp2(Float(-500)) == Exponentials.exp2(Float(-126)))
    #expect(Exponentials.exp2(Float(500)) == Exponentials.exp2(Float(127)))
  }

  @Test("give in each lane what the scalar form gives")
  func lanes() {
    for start in stride(from: 0, to: Self.numbers.count - 8, by: 8) {
      var values = SIMD8<Float>()
      for lane in 0..<8 { values[lane] = Self.numbers[start + lane] }
      let logarithms = Exponentials.log2(values)
      let powers = Exponentials.exp2(logarithms * 1.25)
      for lane in 0..<8 {
        #expect(logarithms[lane] == Exponentials.log2(values[lane]))
        #expect(powers[lane] == Exponentials.exp2(logarithms[lane] * 1.25))
      }
    }
  }

  @Test("give powers in double precision to two units in the last place")
  func doublePowers() {
    var worst = 0.0
    for index in -100_000...100_000 {
      let value = Double(index) * 0.010_007
      worst = max(worst, abs(Exponentials.exp2(value) / Foundation.exp2(value) - 1))
    }
    #expect(worst <= 0x1p-51)
    #expect(abs(Exponentials.gain(decibels: -60) - 0.001) < 1e-17)
    #expect(abs(Exponentials.decay(frames: 1000) - exp(-0.001)) < 1e-15)
    #expect(Exponentials.decay(frames: 0) == 0)
  }
}
