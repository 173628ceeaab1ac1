// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Passes what lies around a frequency, where the gain is one.
///
/// The bandwidth is that between the points at -3 dB.
struct BandPassFilter: FilterKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_BandPassFilter, "AUBandpass")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case centerFrequency, bandwidth

    var spec: ParameterSpec {
      switch self {
      case .centerFrequency:
        .init(
          "center frequency", .hertz, 20...384_000, default: 5000, limit: .halfSampleRate,
          display: .flag_DisplayLogarithmic)
      case .bandwidth:
        .init("bandwidth", .cents, 100...12_000, default: 600)
      }
    }
  }

  private var filter: SingleFilter

  init(_ setup: KernelSetup) { filter = SingleFilter(setup) }

  deinit { filter.deallocate() }

  mutating func reset() { filter.reset() }

  func tailTime(_ values: ParameterValues<Parameter>) -> Double? {
    filter.tailTime(Self.section(values, filter.design))
  }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: ParameterValues<Parameter>) {
    if filter.isNew(values[.centerFrequency], values[.bandwidth]) {
      filter.set(Self.section(values, filter.design))
    }
    filter.process(slice)
  }

  /// The filter that parameters describe.
  @_noLocks
  static func section(_ values: ParameterValues<Parameter>, _ design: FilterDesign)
    -> FilterSection
  {
    let frequency = Double(min(max(values[.centerFrequency], 20), 384_000))
    let octaves = Double(min(max(values[.bandwidth], 100), 12_000)) / 1200
    return design.bandPass(frequency, q: design.q(frequency, octaves: octaves))
  }

  static func filters(_ values: ParameterValues<Parameter>, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) { ([section(values, FilterDesign(sampleRate: sampleRate))], 1) }
}
