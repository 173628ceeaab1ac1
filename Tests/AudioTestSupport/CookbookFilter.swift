// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Second-order filters from the formulas of R. Bristow-Johnson's cookbook, as a reference.
public struct CookbookFilter: Sendable {
  /// Coefficients of z^0, z^-1 and z^-2, before division by the first of `a`.
  public var b: [Double]
  public var a: [Double]
  /// Frames per second.
  public var sampleRate: Double

  private init(_ b: [Double], _ a: [Double], _ sampleRate: Double) {
    (self.b, self.a, self.sampleRate) = (b, a, sampleRate)
  }

  private static func terms(_ frequency: Double, _ q: Double, _ rate: Double) -> (
    cosine: Double, alpha: Double
  ) {
    let w = 2 * .pi * frequency / rate
    return (cos(w), sin(w) / (2 * q))
  }

  public static func lowPass(_ frequency: Double, q: Double, rate: Double) -> Self {
    let (c, alpha) = terms(frequency, q, rate)
    return Self([(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha], rate)
  }

  public static func highPass(_ frequency: Double, q: Double, rate: Double) -> Self {
    let (c, alpha) = terms(frequency, q, rate)
    return Self([(1 + c) / 2, -1 - c, (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha], rate)
  }

  public static func bandPass(_ frequency: Double, q: Double, rate: Double) -> Self {
    let (c, alpha) = terms(frequency, q, rate)
    return Self([alpha, 0, -alpha], [1 + alpha, -2 * c, 1 - alpha], rate)
  }

  public static func bandStop(_ frequency: Double, q: Double, rate: Double) -> Self {
    let (c, alpha) = terms(frequency, q, rate)
    return Self([1, -2 * c, 1], [1 + alpha, -2 * c, 1 - alpha], rate)
  }

  public static func bell(_ frequency: Double, q: Double, decibels: Double, rate: Double) -> Self {
    let (c, alpha) = terms(frequency, q, rate)
    let a = pow(10, decibels / 40)
    return Self(
      [1 + alpha * a, -2 * c, 1 - alpha * a], [1 + alpha / a, -2 * c, 1 - alpha / a], rate)
  }

  public static func lowShelf(_ frequency: Double, q: Double, decibels: Double, rate: Double)
    -> Self
  {
    let (c, alpha) = terms(frequency, q, rate)
    let a = pow(10, decibels / 40)
    let root = 2 * sqrt(a) * alpha
    return Self(
      [
        a * ((a + 1) - (a - 1) * c + root), 2 * a * ((a - 1) - (a + 1) * c),
        a * ((a + 1) - (a - 1) * c - root),
      ],
      [(a + 1) + (a - 1) * c + root, -2 * ((a - 1) + (a + 1) * c), (a + 1) + (a - 1) * c - root],
      rate)
  }

  public static func highShelf(_ frequency: Double, q: Double, decibels: Double, rate: Double)
    -> Self
  {
    let (c, alpha) = terms(frequency, q, rate)
    let a = pow(10, decibels / 40)
    let root = 2 * sqrt(a) * alpha
    return Self(
      [
        a * ((a + 1) + (a - 1) * c + root), -2 * a * ((a - 1) + (a + 1) * c),
        a * ((a + 1) + (a - 1) * c - root),
      ],
      [(a + 1) - (a - 1) * c + root, 2 * ((a - 1) - (a + 1) * c), (a + 1) - (a - 1) * c - root],
      rate)
  }

  /// Gain at a frequency in Hz.
  public func magnitude(at frequency: Double) -> Double {
    let w = 2 * Double.pi * frequency / sampleRate
    func size(_ c: [Double]) -> Double {
      hypot(c[0] + c[1] * cos(w) + c[2] * cos(2 * w), c[1] * sin(w) + c[2] * sin(2 * w))
    }
    return size(b) / size(a)
  }

  /// Filters a signal in double precision.
  public func filter(_ signal: Signal) -> Signal {
    var (s1, s2) = (0.0, 0.0)
    let (b, a) = (b.map { $0 / self.a[0] }, a.map { $0 / self.a[0] })
    return Signal(
      signal.samples.map { x in
        let y = b[0] * x + s1
        s1 = b[1] * x - a[1] * y + s2
        s2 = b[2] * x - a[2] * y
        return y
      }, sampleRate: signal.sampleRate)
  }
}

extension Signal {
  /// The frequency response, if the signal is an impulse response: the gains at multiples of the
  /// sample rate divided by the length (a power of two), up to half the sample rate.
  public var response: [Double] {
    var (real, imaginary) = (samples, [Double](repeating: 0, count: count))
    fourierTransform(&real, &imaginary)
    return (0...count / 2).map { hypot(real[$0], imaginary[$0]) }
  }
}
