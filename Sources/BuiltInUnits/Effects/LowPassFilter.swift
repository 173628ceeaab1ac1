// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Passes what lies below a frequency, falling by 12 dB an octave above it.
///
/// The resonance is the gain at that frequency.
struct LowPassFilter: FilterKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter, "AULowpass")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case cutoffFrequency, resonance

    var spec: ParameterSpec {
      switch self {
      case .cutoffFrequency:
        .init(
          "cutoff frequency", .hertz, 10...384_000, default: 6900, limit: .halfSampleRate,
          display: .flag_DisplayLogarithmic)
      case .resonance:
        .init("resonance", .decibels, -20...40, default: 0)
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
    if filter.isNew(values[.cutoffFrequency], values[.resonance]) {
      filter.set(Self.section(values, filter.design))
    }
    filter.process(slice)
  }

  /// The filter that parameters describe.
  @_noLocks
  static func section(_ values: ParameterValues<Parameter>, _ design: FilterDesign)
    -> FilterSection
  {
    design.lowPass(
      Double(min(max(values[.cutoffFrequency], 10), 384_000)),
      q: FilterDesign.q(resonance: Double(min(max(values[.resonance], -20), 40))))
  }

  static func filters(_ values: ParameterValues<Parameter>, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) { ([section(values, FilterDesign(sampleRate: sampleRate))], 1) }
}
