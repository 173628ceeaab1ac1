// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import SignalProcessing
import Testing

@Suite("Elementary functions")
struct ElementaryTests {
  /// Floats spread evenly over the logarithm, and numbers around one.
  private static let numbers: [Float] =
    (0..<200_000).map { Float(Foundation.exp2(-120 + 240 * Double($0) / 200_000)) }
    + (-50_000..<50_000).map { Float(bitPattern: UInt32(0x3f80_0000 + $0 * 37)) }

  /// From 0 to 1.
  private static let points = (0...20_000).map { Double($0) / 20_000 }

  @Test("give logarithms in single precision to 2e-7 or the last two points")
  func logarithms() {
    var worst = 0.0
    for number in Self.numbers {
      let exact = Foundation.log2(Double(number))
      let error = abs(Double(Elementary.log2(number)) - exact)
      worst = max(worst, error / max(2e-7, abs(exact) * 0x1p-22))
    }
    #expect(worst <= 1)
    #expect(Elementary.log2(Float(1)) == 0)
    for exponent in -126...127 {
      #expect(
        Elementary.log2(Float(sign: .plus, exponent: exponent, significand: 1)) == Float(exponent)
      )
    }
  }

  @Test("give powers in single precision to the last point")
  func powers() {
    var worst = 0.0
    for index in -126_000..<127_000 {
      let value = Float(index) / 1000
      let exact = Foundation.exp2(Double(value))
      worst = max(worst, abs(Double(Elementary.exp2(value)) / exact - 1))
    }
    #expect(worst <= 0x1p-23)
    for exponent in -126...127 {
      #expect(
        Elementary.exp2(Float(exponent))
          == Float(sign: .plus, exponent: exponent, significand: 1))
    }
    #expect(Elementary.exp2(Float(-500)) == Elementary.exp2(Float(-126)))
    #expect(Elementary.exp2(Float(500)) == Elementary.exp2(Float(127)))
  }

  @Test("give powers and logarithms in double precision")
  func doublePowers() {
    var (worst, worstLogarithm) = (0.0, 0.0)
    for index in -100_000...100_000 {
      let value = Double(index) * 0.010_007
      let power = Foundation.exp2(value)
      worst = max(worst, abs(Elementary.exp2(value) / power - 1))
      worstLogarithm = max(
        worstLogarithm, abs(Elementary.log2(power) - Foundation.log2(power)) / max(1, abs(value)))
    }
    #expect(worst <= 0x1p-51)
    #expect(worstLogarithm <= 1e-14)
    #expect(
      Elementary.log2(1.0) == 0 && Elementary.exp2(0.0) == 1 && Elementary.exp2(-3.0) == 0.125)
    #expect(Elementary.exp2(-2_000.0) == 0x1p-1022 && Elementary.exp2(2_000.0) == 0x1p1023)
    #expect(abs(Elementary.power(3, 2.5) - pow(3, 2.5)) < 1e-13)
    #expect(abs(Elementary.gain(decibels: -60) - 0.001) < 1e-17)
    #expect(abs(Elementary.gain(decibels: -6) - pow(10, -0.3)) < 1e-15)
    #expect(abs(Elementary.decay(frames: 1000) - exp(-0.001)) < 1e-15)
    #expect(Elementary.decay(frames: 0) == 0)
  }

  @Test("give sines, tangents and arc tangents")
  func angles() {
    for point in Self.points {
      #expect(abs(Elementary.sine(quarters: point) - sin(point * .pi / 2)) < 1e-15)
      #expect(Elementary.sine(quarters: -point) == -Elementary.sine(quarters: point))
      guard point > 0, point < 1 else { continue }
      let x = point / 2
      #expect(abs(Elementary.tangent(halfTurns: x) / tan(.pi * x) - 1) < 1e-12)
      #expect(abs(Elementary.halfTurns(ofTangent: tan(.pi * x)) / x - 1) < 1e-13)
    }
  }

  @Test("give sines and cosines of degrees, and the angle of a cosine")
  func degrees() {
    for step in -400...400 {
      let angle = Float(step) * 1.3
      #expect(abs(Double(Elementary.sine(degrees: angle)) - sin(Double(angle) * .pi / 180)) < 1e-6)
      #expect(
        abs(Double(Elementary.cosine(degrees: angle)) - cos(Double(angle) * .pi / 180)) < 1e-6)
      let cosine = Float(step) / 400
      #expect(abs(Double(Elementary.arcCosine(cosine)) - acos(Double(cosine))) < 1e-6)
    }
    #expect(Elementary.arcCosine(2) == 0 && Elementary.sine(degrees: 1e30).isFinite)
  }
}
