// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Raises or lowers what lies below a frequency, at which half of the decibels are reached.
struct LowShelfFilter: SectionKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_LowShelfFilter, "AULowShelfFilter")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case cutoffFrequency, gain

    var spec: ParameterSpec {
      switch self {
      case .cutoffFrequency: .filterFrequency("cutoff frequency", 10...200, default: 80)
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
    design.lowShelf(
      values[.cutoffFrequency], q: FilterDesign.butterworth, decibels: values[.gain])
  }
}
