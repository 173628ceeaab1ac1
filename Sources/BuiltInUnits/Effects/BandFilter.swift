// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// The eleven kinds of filters of a band, by their numbers in `kAUNBandEQParam_FilterType`.
enum BandFilter {
  /// The filter of a kind: its frequency in hertz, its gain in decibels, its bandwidth in octaves.
  @_noLocks
  static func section(
    _ type: Int32, _ frequency: Double, decibels: Double, octaves: Double, _ design: FilterDesign
  ) -> FilterSection {
    let flattest = FilterDesign.butterworth
    switch type {
    case 1: return design.lowPass(frequency, q: flattest)
    case 2: return design.highPass(frequency, q: flattest)
    case 7: return design.lowShelf(frequency, q: flattest, decibels: decibels)
    case 8: return design.highShelf(frequency, q: flattest, decibels: decibels)
    default: break
    }
    let q = design.q(frequency, octaves: octaves)
    switch type {
    case 3: return design.lowPass(frequency, q: q)
    case 4: return design.highPass(frequency, q: q)
    case 5: return design.bandPass(frequency, q: q)
    case 6: return design.bandStop(frequency, q: q)
    case 9: return design.lowShelf(frequency, q: q, decibels: decibels)
    case 10: return design.highShelf(frequency, q: q, decibels: decibels)
    default: return design.bell(frequency, q: q, decibels: decibels)
    }
  }

  /// The names of the kinds.
  static let typeNames = [
    "Parametric", "Butterworth low-pass", "Butterworth high-pass", "Resonant low-pass",
    "Resonant high-pass", "Band-pass", "Band-stop", "Low shelf", "High shelf",
    "Resonant low shelf", "Resonant high shelf",
  ]
}
