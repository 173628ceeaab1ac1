// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Signal {
  /// Mean power per hertz in each of the bands between neighbouring `edges` (in Hz), in decibels.
  ///
  /// Welch's method: overlapping segments of 2^16 samples under a Hann window.
  public func powerDensities(between edges: [Double]) -> [Double] {
    let length = 1 << 16
    var power = [Double](repeating: 0, count: length / 2)
    for start in stride(from: 0, through: count - length, by: length / 2) {
      var real = (0..<length).map { index in
        samples[start + index] * (0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(length)))
      }
      var imaginary = [Double](repeating: 0, count: length)
      fourierTransform(&real, &imaginary)
      for bin in power.indices {
        power[bin] += real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
      }
    }
    let binWidth = sampleRate / Double(length)
    return zip(edges, edges.dropFirst()).map { low, high in
      let bins = Int((low / binWidth).rounded(.up))...Int((high / binWidth).rounded(.down))
      return 10 * log10(power[bins].reduce(0, +) / Double(bins.count))
    }
  }

  /// Slope of the noise between two frequencies in decibels per octave: a line fitted to octave
  /// bands.
  public func slope(from lowest: Double, to highest: Double) -> Double {
    let octaves = Int(log2(highest / lowest) + 1e-9)
    let levels = powerDensities(between: (0...octaves).map { lowest * exp2(Double($0)) })
    let centre = Double(octaves - 1) / 2
    let places = levels.indices.map { Double($0) - centre }
    let products = zip(places, levels).reduce(0) { $0 + $1.0 * $1.1 }
    return products / places.reduce(0) { $0 + $1 * $1 }
  }
}
