// SPDX-License-Identifier: Apache-2.0

/// Kaiser's window, with which a sinc becomes a low-pass filter of chosen stop-band attenuation.
///
/// Kaiser, "Nonrecursive digital filter design using the I0-sinh window function" (1974).
struct KaiserWindow {
  let beta: Double
  private let scale: Double

  /// Makes the window for a stop-band attenuation in decibels (above 50).
  init(attenuation: Double) {
    beta = 0.1102 * (attenuation - 8.7)
    scale = 1 / Self.bessel(beta)
  }

  /// Width of the transition band, as a fraction of half the sample rate, of a filter of `taps`.
  static func transition(attenuation: Double, taps: Int) -> Double {
    (attenuation - 7.95) / (2.285 * .pi * Double(taps))
  }

  /// Value at a place from -1 to 1, and zero beyond.
  func callAsFunction(_ place: Double) -> Double {
    let square = 1 - place * place
    return square < 0 ? 0 : Self.bessel(beta * square.squareRoot()) * scale
  }

  /// sin(pi x) / (pi x).
  static func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : Math.sine(.pi * x) / (.pi * x)
  }

  /// Modified Bessel function of the first kind and order zero, by its power series.
  private static func bessel(_ x: Double) -> Double {
    let quarterSquare = x * x / 4
    var term = 1.0
    var sum = 1.0
    var order = 1.0
    while term > sum * 1e-17 {
      term *= quarterSquare / (order * order)
      sum += term
      order += 1
    }
    return sum
  }
}
