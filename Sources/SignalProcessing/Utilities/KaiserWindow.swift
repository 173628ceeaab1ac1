// SPDX-License-Identifier: Apache-2.0

/// Kaiser's window, with which a sinc becomes a low-pass filter of chosen stop-band attenuation.
///
/// Kaiser, "Nonrecursive digital filter design using the I0-sinh window function" (1974).
struct KaiserWindow {
  let beta: Double
  private let scale: Double

  /// Makes the window for a stop-band attenuation in decibels (above 50).
  init(attenuation: Double) { self.init(beta: 0.1102 * (attenuation - 8.7)) }

  /// Makes the window of a shape: the larger `beta`, the less is left at its ends.
  init(beta: Double) {
    self.beta = beta
    scale = 1 / Self.bessel(square: beta * beta)
  }

  /// Value at a place from -1 to 1, and zero beyond.
  func callAsFunction(_ place: Double) -> Double {
    place * place > 1 ? 0 : continued(place)
  }

  /// The same, but continues smoothly beyond -1 and 1, for a little.
  func continued(_ place: Double) -> Double {
    Self.bessel(square: beta * beta * (1 - place * place)) * scale
  }

  /// sin(pi x) / (pi x).
  static func sinc(_ x: Double) -> Double {
    x == 0 ? 1 : Math.sine(.pi * x) / (.pi * x)
  }

  /// Modified Bessel function of the first kind and order zero, of the root of `square`, by its power series.
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
