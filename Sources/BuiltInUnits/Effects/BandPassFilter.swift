// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Passes what lies around a frequency, where the gain is one.
///
/// The bandwidth is that between the points at -3 dB.
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

  var filter: SectionFilter<Parameter>

  init(_ setup: KernelSetup) { filter = SectionFilter(setup) }

  deinit { filter.deallocate() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: ParameterValues<Parameter>) {
    renderSection(slice, values)
  }

  @_noLocks
  static func section(_ values: FilterValues<Parameter>, _ design: FilterDesign) -> FilterSection {
    let frequency = values[.centerFrequency]
    return design.bandPass(frequency, q: design.q(frequency, octaves: values[.bandwidth] / 1200))
  }
}
