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

  private(set) var filter: SectionFilter

  init(_ setup: KernelSetup) { filter = SectionFilter(setup) }

  deinit { filter.deallocate() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: ParameterValues<Parameter>) {
    let change = filter.change(
      SIMD4(values[.centerFrequency], values[.bandwidth], 0, 0),
      SIMD4(values.step(.centerFrequency), values.step(.bandwidth), 0, 0), slice.frameCount)
    if change.isAny {
      filter.take(
        change, Self.section(change.start, filter.design),
        Self.section(change.end, filter.design))
    }
    filter.cascade.process(slice)
  }

  @_noLocks
  static func section(_ values: SIMD4<Float>, _ design: FilterDesign) -> FilterSection {
    let (centerFrequency, bandwidth) = (Double(values[0]), Double(values[1]))
    return design.bandPass(
      centerFrequency, q: design.q(centerFrequency, octaves: bandwidth / 1200))
  }
}
