// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Raises or lowers a band around a frequency.
///
/// The Q determines the bandwidth between the points at half of the decibels.
struct ParametricEQ: SectionKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_ParametricEQ, "AUParametricEQ")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case centerFrequency, q, gain

    var spec: ParameterSpec {
      switch self {
      case .centerFrequency: .filterFrequency("center frequency", 20...384_000, default: 2000)
      case .q:
        .init(
          "Q", .generic, 0.1...20, default: 1, display: .flag_DisplayLogarithmic, shortRamps: true)
      case .gain: .init("gain", .decibels, -20...20, default: 0, shortRamps: true)
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
    let (centerFrequency, q, gain) = (Double(values[0]), Double(values[1]), Double(values[2]))
    return design.bell(centerFrequency, q: q, decibels: gain)
  }
}
