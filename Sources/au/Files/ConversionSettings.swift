// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// How sound files are converted.
struct ConversionSettings: Sendable {
  enum Quality: String, CaseIterable, Sendable {
    case low, normal, high, mastering

    var complexity: UInt32 {
      self == .mastering
        ? kAudioConverterSampleRateConverterComplexity_Mastering
        : kAudioConverterSampleRateConverterComplexity_Normal
    }
    var value: UInt32 {
      switch self {
      case .low: kAudioConverterQuality_Low
      case .normal: kAudioConverterQuality_Medium
      case .high: kAudioConverterQuality_High
      case .mastering: kAudioConverterQuality_Max
      }
    }
  }

  /// What hides the loss of bits.
  enum Dither: String, CaseIterable, Sendable {
    case none, triangular, shaped

    var value: UInt32 {
      switch self {
      case .none: 0
      case .triangular: 1
      case .shaped: 2
      }
    }
  }

  /// What can be said of bits; floating point is negative.
  static let bits: [String: Int] = [
    "8": 8, "16": 16, "24": 24, "32": 32, "32f": -32, "64f": -64,
  ]

  var sampleRate: Double?
  var bits: Int?
  var channelCount: Int?
  var quality = Quality.high
  var dither = Dither.triangular
  /// Decibels.
  var normalizedPeak: Double?
  var trims = false
}
