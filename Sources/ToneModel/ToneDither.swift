// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The noise that is added before samples are rounded to the integers of a device.
///
/// Only devices with 16 or 24 bits need it. Those that take floating point, as sound servers do, get
/// the samples unchanged.
public enum ToneDither: String, CaseIterable, Codable, Sendable {
  /// None: samples are rounded to the nearest integer, which distorts quiet signals.
  case none
  /// White noise with a triangular distribution, two steps wide: the error is noise of constant power
  /// that does not depend on the signal. The usual one of measurements.
  case triangular
  /// The same noise, moved to frequencies at which hearing is less sensitive.
  case shaped

  /// The usual dither of tones: none for a J-test, whose last bit is part of the signal.
  public static func usual(for tones: [Tone]) -> ToneDither {
    tones.contains { $0.waveform == .jitterTest } ? .none : .triangular
  }

  /// The value of `kAudioConverterPropertyDithering`.
  var propertyValue: UInt32 {
    switch self {
    case .none: UInt32(kDitherAlgorithm_None)
    case .triangular: UInt32(kDitherAlgorithm_TPDF)
    case .shaped: UInt32(kDitherAlgorithm_NoiseShaping)
    }
  }
}
