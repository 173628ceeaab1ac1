// SPDX-License-Identifier: Apache-2.0

extension SampleRateConverter {
  /// How much work goes into a sample, and how much delay.
  ///
  /// The filter is shut at half the lower rate, whatever the pair of rates: what folds or mirrors
  /// lies below `attenuation`. It is flat to 0.1 dB up to the share of that half that each case
  /// names.
  public enum Quality: Int32, Sendable, CaseIterable {
    /// 48 taps, -90 dB, flat to 0.78: less than half the delay of `normal`.
    case low
    /// 128 taps, -120 dB, flat to 0.90: transparent for listening.
    case normal
    /// 208 taps, -140 dB, flat to 0.93.
    case high
    /// 384 taps, -155 dB by design and -137 dB as summed in Float32, flat to 0.95.
    case mastering

    /// Length of the filter in frames of the lower rate; half of it is the delay.
    var taps: Int {
      switch self {
      case .low: 48
      case .normal: 128
      case .high: 208
      case .mastering: 384
      }
    }

    /// Attenuation of aliases and images, in decibels, by design.
    public var attenuation: Double {
      switch self {
      case .low: 90
      case .normal: 120
      case .high: 140
      case .mastering: 155
      }
    }

    /// Rows per frame of the lower rate, where coefficients are interpolated.
    ///
    /// The cubic errs by 3/128 (pi / divisions)^4: -113, -137, -161 and -161 dB.
    var divisions: Int {
      switch self {
      case .low: 32
      case .normal: 64
      case .high, .mastering: 128
      }
    }
  }
}
