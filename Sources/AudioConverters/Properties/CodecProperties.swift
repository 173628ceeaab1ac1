// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The properties of converters that have a codec.
enum CodecProperties {
  /// One row for each property.
  static let rows: [PropertyRow<SignalPath>] = [
    .array(
      kAudioConverterDecompressionMagicCookie,
      get: { (path) throws(AudioError) -> [UInt8] in
        let decoding = try path.requireDecoding()
        guard !decoding.cookie.isEmpty else {
          throw .converterProperty.because("no magic cookie is set")
        }
        return decoding.cookie
      },
      set: { (path, cookie: [UInt8]) throws(AudioError) in
        try path.set(cookie: cookie)
      }),
    .array(kAudioConverterCompressionMagicCookie) { (path) throws(AudioError) -> [UInt8] in
      let cookie = try path.requireEncoding().encoder.cookie
      guard !cookie.isEmpty else {
        throw .converterProperty.because(
          "\(StreamFormat.describe(path.formats.output)) has no magic cookie")
      }
      return cookie
    },
    .value(
      kAudioConverterCodecQuality, get: { $0.settings.codecQuality },
      set: { (path, quality: UInt32) throws(AudioError) in
        try path.set(codecQuality: quality)
      }),
    .value(
      kAudioConverterEncodeBitRate,
      get: { (path) throws(AudioError) -> UInt32 in
        UInt32(clamping: try path.requireEncoding().currentBitRate)
      },
      set: { (path, bitRate: UInt32) throws(AudioError) in
        let encoding = try path.requireEncoding()
        guard let range = encoding.bitRates else {
          throw .converterOperation.because(
            "the bit rate of \(StreamFormat.describe(path.formats.output)) depends on the sound"
          )
        }
        guard range.contains(Int(bitRate)) else {
          throw .converterOperation.because(
            "\(bitRate) bits per second; expected \(range.lowerBound) to \(range.upperBound)")
        }
        try encoding.reopen { $0.bitRate = Int(bitRate) }
      }),
    .value(kAudioConverterEncodeAdjustableSampleRate) { (path) throws(AudioError) in
      _ = try path.requireEncoding()
      return path.formats.output.mSampleRate
    },
    .array(kAudioConverterApplicableEncodeBitRates) { (path) throws(AudioError) in
      try path.requireEncoding().applicableBitRates
    },
    .array(kAudioConverterAvailableEncodeBitRates) { (path) throws(AudioError) in
      try path.requireEncoding().availableBitRates
    },
    .array(kAudioConverterApplicableEncodeSampleRates) { (path) throws(AudioError) in
      try path.requireEncoding().sampleRateRanges
    },
    .array(kAudioConverterAvailableEncodeSampleRates) { (path) throws(AudioError) in
      try path.requireEncoding().sampleRateRanges
    },
    .array(kAudioConverterPropertyFormatList) { (path) throws(AudioError) in
      [
        AudioFormatListItem(
          mASBD: path.formats.output,
          mChannelLayoutTag: path.formats.output.mChannelsPerFrame == 1
            ? kAudioChannelLayoutTag_Mono
            : path.formats.output.mChannelsPerFrame == 2
              ? kAudioChannelLayoutTag_Stereo
              : kAudioChannelLayoutTag_DiscreteInOrder | path.formats.output.mChannelsPerFrame)
      ]
    },
  ]
}
