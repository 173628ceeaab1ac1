// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Passes what lies below a frequency, falling by 12 dB an octave above it.
///
/// The resonance is the gain at that frequency.
struct LowPassFilter: SectionKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter, "AULowpass")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case cutoffFrequency, resonance

    var spec: ParameterSpec {
      switch self {
      case .cutoffFrequency: .filterFrequency("cutoff frequency", 10...384_000, default: 6900)
      case .resonance: .init("resonance", .decibels, -20...40, default: 0, shortRamps: true)
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
    design.lowPass(
      values[.cutoffFrequency], q: FilterDesign.q(resonance: values[.resonance]))
  }
}
