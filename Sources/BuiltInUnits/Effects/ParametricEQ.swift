// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Raises or lowers what lies around a frequency.
///
/// The bandwidth that the Q stands for is that between the points at half of the decibels.
struct ParametricEQ: FilterKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_ParametricEQ, "AUParametricEQ")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case centerFrequency, q, gain

    var spec: ParameterSpec {
      switch self {
      case .centerFrequency:
        .init(
          "center frequency", .hertz, 20...384_000, default: 2000, limit: .halfSampleRate,
          display: .flag_DisplayLogarithmic)
      case .q:
        .init("Q", .generic, 0.1...20, default: 1, display: .flag_DisplayLogarithmic)
      case .gain:
        .init("gain", .decibels, -20...20, default: 0)
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
    if filter.isNew(values[.centerFrequency], values[.q], values[.gain]) {
      filter.set(Self.section(values, filter.design))
    }
    filter.process(slice)
  }

  /// The filter that parameters describe.
  @_noLocks
  static func section(_ values: ParameterValues<Parameter>, _ design: FilterDesign)
    -> FilterSection
  {
    design.bell(
      Double(min(max(values[.centerFrequency], 20), 384_000)),
      q: Double(min(max(values[.q], 0.1), 20)),
      decibels: Double(min(max(values[.gain], -20), 20)))
  }

  static func filters(_ values: ParameterValues<Parameter>, sampleRate: Double) -> (
    sections: [FilterSection], gain: Double
  ) { ([section(values, FilterDesign(sampleRate: sampleRate))], 1) }
}
