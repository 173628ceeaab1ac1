// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Passes sound above a frequency, and falls by 12 dB per octave below it.
///
/// The resonance is the gain at that frequency.
struct HighPassFilter: SectionKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_HighPassFilter, "AUHipass")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case cutoffFrequency, resonance

    var spec: ParameterSpec {
      switch self {
      case .cutoffFrequency: .filterFrequency("cutoff frequency", 10...384_000, default: 6900)
      case .resonance: .init("resonance", .decibels, -20...40, default: 0, shortRamps: true)
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
    let (cutoffFrequency, resonance) = (Double(values[0]), Double(values[1]))
    return design.highPass(
      cutoffFrequency, q: FilterDesign.q(resonance: resonance))
  }
}
