// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// How exactly an audio converter changes the sample rate.
enum ConversionQuality: String, CaseIterable, Sendable {
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

  /// Sets the quality of an audio converter.
  func set(on converter: AudioConverterRef) throws(Failure) {
    for (id, value) in [
      (kAudioConverterSampleRateConverterComplexity, complexity),
      (kAudioConverterSampleRateConverterQuality, value),
    ] {
      var value = value
      try Failure.check(
        AudioConverterSetProperty(converter, id, 4, &value), "Can't set the quality")
    }
  }
}
