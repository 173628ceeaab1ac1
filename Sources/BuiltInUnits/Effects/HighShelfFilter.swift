// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Raises or lowers what lies above a frequency, at which half of the decibels are reached.
struct HighShelfFilter: FilterKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_HighShelfFilter, "AUHighShelfFilter")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case cutoffFrequency, gain

    var spec: ParameterSpec {
      switch self {
      case .cutoffFrequency:
        .init(
          "cutoff frequency", .hertz, 10_000...384_000, default: 10_000, limit: .halfSampleRate,
          display: .flag_DisplayLogarithmic)
      case .gain:
        .init("gain", .decibels, -40...40, default: 0)
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
    if filter.isNew(values[.cutoffFrequency], values[.gain]) {
      filter.set(Self.section(values, filter.design))
    }
    filter.process(slice)
  }

  /// The filter that parameters describe.
  @_noLocks
  static func section(_ values: ParameterValues<Parameter>, _ design: FilterDesign)
    -> FilterSection
  {
    design.highShelf(
      Double(min(max(values[.cutoffFrequency], 10_000), 384_000)),
      q: FilterDesign.butterworth, decibels: Double(min(max(values[.gain], -40), 40)))
  }

  static func filters(_ values: ParameterValues<Parameter>, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) { ([section(values, FilterDesign(sampleRate: sampleRate))], 1) }
}
