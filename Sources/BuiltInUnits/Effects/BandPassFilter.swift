// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Passes a band around a frequency, where the gain is one.
///
/// The bandwidth is measured between the points at -3 dB.
struct BandPassFilter: SectionKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_BandPassFilter, "AUBandpass")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case centerFrequency, bandwidth

    var spec: ParameterSpec {
      switch self {
      case .centerFrequency: .filterFrequency("center frequency", 20...384_000, default: 5000)
      case .bandwidth: .init("bandwidth", .cents, 100...12_000, default: 600, shortRamps: true)
      }
    }
  }

  var filter: SectionFilter
  deinit { filter.deallocate() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    filter.render(slice, values.raw) { Self.section($0, $1) }
  }

  @_noLocks
  static func section(_ values: SIMD4<Float>, _ design: FilterDesign) -> FilterSection {
    let (centerFrequency, bandwidth) = (Double(values[0]), Double(values[1]))
    return design.bandPass(
      centerFrequency, q: design.q(centerFrequency, octaves: bandwidth / 1200))
  }
}
