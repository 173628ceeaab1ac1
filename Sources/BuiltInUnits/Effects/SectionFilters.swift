// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

// The units that are a single second-order filter: a row for each, and one kernel for all
// (`SectionFilter.swift`).

/// Passes sound below a frequency, and falls by 12 dB per octave above it.
///
/// The resonance is the gain at that frequency.
typealias LowPassFilter = SectionKernel<LowPassRow>
/// Passes sound above a frequency, and falls by 12 dB per octave below it.
///
/// The resonance is the gain at that frequency.
typealias HighPassFilter = SectionKernel<HighPassRow>
/// Passes a band around a frequency, where the gain is one.
///
/// The bandwidth is measured between the points at -3 dB.
typealias BandPassFilter = SectionKernel<BandPassRow>
/// Raises or lowers sound below a frequency, where the gain is half of the decibels.
typealias LowShelfFilter = SectionKernel<LowShelfRow>
/// Raises or lowers sound above a frequency, where the gain is half of the decibels.
typealias HighShelfFilter = SectionKernel<HighShelfRow>
/// Raises or lowers a band around a frequency.
///
/// The Q determines the bandwidth between the points at half of the decibels.
typealias ParametricEQ = SectionKernel<BellRow>

/// The parameters of `LowPassFilter` and `HighPassFilter`.
enum PassParameter: AudioUnitParameterID, ParameterKey {
  case cutoffFrequency, resonance

  var spec: ParameterSpec {
    switch self {
    case .cutoffFrequency: .filterFrequency("cutoff frequency", 10...384_000, default: 6900)
    case .resonance: .init("resonance", .decibels, -20...40, default: 0, shortRamps: true)
    }
  }
}

/// Passes what is below a frequency.
enum LowPassRow: SectionRow {
  static let shape = SectionShape.lowPass
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter, "AULowpass")

  typealias Parameter = PassParameter
}

/// Passes what is above a frequency.
enum HighPassRow: SectionRow {
  static let shape = SectionShape.highPass
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_HighPassFilter, "AUHipass")

  typealias Parameter = PassParameter
}

/// Passes a band around a frequency.
enum BandPassRow: SectionRow {
  static let shape = SectionShape.bandPass
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
}

/// Raises or lowers what is below a frequency.
enum LowShelfRow: SectionRow {
  static let shape = SectionShape.lowShelf
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
}

/// Raises or lowers what is above a frequency.
enum HighShelfRow: SectionRow {
  static let shape = SectionShape.highShelf
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
}

/// Raises or lowers a band: one band of a parametric equaliser.
enum BellRow: SectionRow {
  static let shape = SectionShape.bell
  static let identity = Identity(
    kAudioUnitType_Effect, kAudioUnitSubType_ParametricEQ, "AUParametricEQ")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case centerFrequency, q, gain

    var spec: ParameterSpec {
      switch self {
      case .centerFrequency: .filterFrequency("center frequency", 20...384_000, default: 2000)
      case .q:
        .init(
          "Q", .generic, 0.1...20, default: 1, display: .flag_DisplayLogarithmic, shortRamps: true)
      case .gain: .init("gain", .decibels, -20...20, default: 0, shortRamps: true)
      }
    }
  }
}
