// SPDX-License-Identifier: Apache-2.0

/// The Kaiser window, which makes a sinc a low-pass filter with a chosen stop-band attenuation.
///
/// Kaiser, "Nonrecursive digital filter design using the I0-sinh window function" (1974).
struct KaiserWindow {
  let beta: Double
  private let scale: Double

  /// Makes the window for a stop-band attenuation in decibels (above 50).
  init(attenuation: Double) { self.init(beta: 0.1102 * (attenuation - 8.7)) }

  /// Makes a window of a shape: a larger `beta` gives smaller values at the ends.
  init(beta: Double) {
    self.beta = beta
    scale = 1 / Self.bessel(square: beta * beta)
  }

  /// Value at a position from -1 to 1; zero beyond.
  func callAsFunction(_ position: Double) -> Double {
    position * position > 1 ? 0 : continued(position)
  }

  /// As above, but continues smoothly a little beyond -1 and 1.
  func continued(_ position: Double) -> Double {
    Self.bessel(square: beta * beta * (1 - position * position)) * scale
  }

  /// sin(pi x) / (pi x).
  static func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : Math.sine(.pi * x) / (.pi * x)
  }

  /// Modified Bessel function of the first kind and order zero, of the square root of `square`, by
  /// its power series.
  private static func bessel(square: Double) -> Double {
    let quarterSquare = square / 4
    var term = 1.0
    var sum = 1.0
    var order = 1.0
    while abs(term) > sum * 1e-17 {
      term *= quarterSquare / (order * order)
      sum += term
      order += 1
    }
    return sum
  }
}
