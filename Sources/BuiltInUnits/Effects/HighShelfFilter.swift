// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Raises or lowers what lies above a frequency, at which half of the decibels are reached.
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

  var filter: SectionFilter<Parameter>

  init(_ setup: KernelSetup) { filter = SectionFilter(setup) }

  deinit { filter.deallocate() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: ParameterValues<Parameter>) {
    renderSection(slice, values)
  }

  @_noLocks
  static func section(_ values: FilterValues<Parameter>, _ design: FilterDesign) -> FilterSection {
    design.highShelf(
      values[.cutoffFrequency], q: FilterDesign.butterworth, decibels: values[.gain])
  }
}
