// SPDX-License-Identifier: Apache-2.0

/// The transition of a filter from its pass band to its stop band.
///
/// A windowed sinc alone makes the pass band as flat as the stop band is deep, to a millionth and
/// less. A few cosines near the cut-off frequency, under the same window, spend that surplus: the
/// pass band gets a ripple of 0.04 (`high`) to 0.09 dB (`low`) next to its edge and less below it,
/// and the filter becomes shorter by a fifth. `Scripts/filter-edges` finds the cosines by linear
/// programming, and prints these numbers.
///
/// Frequencies are in bins of 1 / the length of the filter, so that one edge fits any length.
struct FilterEdge: Hashable {
  /// Beta of the Kaiser window.
  let beta: Double
  /// Bins from the cut-off frequency to the stop band.
  let cutoff: Double
  /// Bins from the pass band, which is flat within 0.1 dB, to the stop band.
  let width: Double
  /// Gains of the cosines, from the highest one down.
  let gains: [Double]

  /// Bins between adjacent cosines, and from the first one to the cut-off frequency.
  static let spacing = 0.6
  static let above = 1.5

  /// The edge of a quality.
  static func edge(of quality: ConversionQuality) -> FilterEdge {
    switch quality {
    case .low: low
    case .normal: normal
    case .high: high
    case .mastering: mastering
    }
  }

  private static let low = FilterEdge(
    beta: 7.63, cutoff: 2.86, width: 3.913,
    gains: [
      -0.001889949, 0.015602472, 0.065453184, 0.396024423,
      -0.477017282, 1.222078022, -2.076237904, 2.595677072,
      -2.824547033, 2.791062767, -2.309732884, 1.451889108,
      -0.663555803, 0.236552542, -0.071797119, 0.010171507,
    ])

  private static let normal = FilterEdge(
    beta: 11.33, cutoff: 3.92, width: 4.902,
    gains: [
      0.001076272, -0.013170171, 0.171227665, 0.159429655,
      0.890091809, -1.264279078, 1.923246377, -3.708852804,
      5.445323373, -6.000000000, 5.738125285, -5.049780963,
      3.625667079, -1.743133481, 0.420114922, -0.012353367,
    ])

  private static let high = FilterEdge(
    beta: 14.58, cutoff: 4.63, width: 6.087,
    gains: [
      0.000404429, -0.004585486, 0.024300427, 0.105836066,
      0.987111141, -1.058324123, 1.640223994, -3.504355885,
      5.191257346, -5.857357462, 6.000000000, -5.627898233,
      4.238574056, -2.243425448, 0.727069390, -0.108299460,
    ])

  private static let mastering = FilterEdge(
    beta: 15.79, cutoff: 5.02, width: 6.380,
    gains: [
      0.000152902, -0.001690885, 0.008227271, 0.206344168,
      0.866833533, -0.522912657, 0.541225412, -1.857077677,
      2.779244285, -2.751100760, 2.771244973, -2.780400124,
      2.022460315, -0.854000357, 0.148348887, 0.006579977,
    ])
}
