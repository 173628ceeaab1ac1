// SPDX-License-Identifier: Apache-2.0

/// How much computation goes into a sample, and how much delay.
///
/// `low`, `normal` and `high` are for listening. Where the lower rate is at least 44 kHz, their
/// filters stop above half of it, so that images and aliases stay inaudible: they come only from
/// tones above the edge that each case names, and appear as far beyond half the rate. Where the
/// lower rate is lower, and images and aliases would be audible, the filter is longer and stops at
/// half of it. `mastering` always does.
///
/// Edges and flatness (to 0.1 dB) are fractions of half the lower rate, or in Hz at 44,100.
public enum ConversionQuality: Int32, Sendable, CaseIterable {
  /// -90 dB, flat to 17,100 Hz, edge 18,800 Hz, 22 taps; below 44 kHz 36 taps, flat to 0.78.
  case low
  /// -120 dB, flat to 20,000 Hz, edge 20,000 Hz, 54 taps; below 44 kHz 99 taps, flat to 0.90:
  /// transparent for listening.
  case normal
  /// -140 dB, flat to 20,300 Hz, edge 20,300 Hz, 78 taps; below 44 kHz 175 taps, flat to 0.93.
  case high
  /// -151 dB up to half the lower rate, flat to 0.907 (20,000 Hz), 138 taps, summed precisely
  /// enough that a tone keeps the 150 dB of Float32.
  case mastering

  /// Attenuation of aliases and images, in decibels, by design.
  public var attenuation: Double {
    switch self {
    case .low: 90
    case .normal: 120
    case .high: 140
    case .mastering: 151
    }
  }
}

/// The phase response of a filter.
public enum ConversionPhase: Int32, Sendable, CaseIterable {
  /// All frequencies are delayed by the same time: half the length of the filter.
  case linear
  /// As early as the attenuation allows: low frequencies are delayed by a few frames, those near
  /// the edge by more. There is no pre-ringing.
  case minimum
}
