// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport

extension Signal {
  /// The largest energy outside the band around a tone in any short window of the signal, in
  /// decibels relative to the tone: an audible click.
  ///
  /// Windows of a twelfth of a second overlap by fifteen sixteenths. The band around the tone is as
  /// wide as the analysis window spreads a fade, and much narrower than a critical band.
  func splatter(around frequency: Double, amplitude: Double, width: Double = 150) -> Double {
    let length = 4_096
    var highest = 0.0
    for start in stride(from: 0, through: count - length, by: length / 16) {
      let spectrum = Spectrum(self[start..<start + length])
      for (bin, level) in spectrum.amplitudes.enumerated() {
        let distance = abs(Double(bin) * spectrum.binWidth - frequency)
        if distance > width { highest = max(highest, level) }
      }
    }
    return decibels(highest / amplitude)
  }
}
