// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Raises or lowers sound above a frequency, where the gain is half of the decibels.
struct HighShelfFilter: SectionKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_HighShelfFilter, "AUHighShelfFilter")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case cutoffFrequency, gain

    var spec: ParameterSpec {
      switch self {
      case .cutoffFrequency: .filterFrequency("cutoff frequency", 10_000...384_000, default: 10_000)
      case .gain: .init("gain", .decibels, -40...40, default: 0, shortRamps: true)
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
    let (cutoffFrequency, gain) = (Double(values[0]), Double(values[1]))
    return design.highShelf(
      cutoffFrequency, q: FilterDesign.butterworth, decibels: gain)
  }
}
