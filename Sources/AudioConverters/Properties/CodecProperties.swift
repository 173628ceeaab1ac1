// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension Converter {
  /// The properties of converters that have a codec.
  static let codecs: [PropertyRow<Converter>] = [
    .array(
      kAudioConverterDecompressionMagicCookie,
      get: { (converter) throws(AudioError) -> [UInt8] in
        let decoding = try converter.requireDecoding()
        guard !decoding.cookie.isEmpty else {
          throw .converterProperty.because("no magic cookie is set")
        }
        return decoding.cookie
      },
      set: { (converter, cookie: [UInt8]) throws(AudioError) in
        try converter.set(cookie: cookie)
      }),
    .array(kAudioConverterCompressionMagicCookie) { (converter) throws(AudioError) -> [UInt8] in
      let cookie = try converter.requireEncoding().encoder.cookie
      guard !cookie.isEmpty else {
        throw .converterProperty.because(
          "\(StreamFormat.describe(converter.outputFormat)) has no magic cookie")
      }
      return cookie
    },
    .value(
      kAudioConverterCodecQuality, get: { $0.settings.codecQuality },
      set: { (converter, quality: UInt32) throws(AudioError) in
        let quality = min(quality, UInt32(kAudioConverterQuality_Max))
        try converter.requireEncoding().reopen { $0.quality = Int(quality) }
        converter.settings.codecQuality = quality
      }),
    .value(
      kAudioConverterEncodeBitRate,
      get: { (converter) throws(AudioError) -> UInt32 in
        UInt32(clamping: try converter.requireEncoding().currentBitRate)
      },
      set: { (converter, bitRate: UInt32) throws(AudioError) in
        let encoding = try converter.requireEncoding()
        guard let range = converter.bitRates else {
          throw .converterOperation.because(
            "the bit rate of \(StreamFormat.describe(converter.outputFormat)) depends on the sound"
          )
        }
        guard range.contains(Int(bitRate)) else {
          throw .converterOperation.because(
            "\(bitRate) bits per second; expected \(range.lowerBound) to \(range.upperBound)")
        }
        try encoding.reopen { $0.bitRate = Int(bitRate) }
      }),
    .value(kAudioConverterEncodeAdjustableSampleRate) { (converter) throws(AudioError) in
      _ = try converter.requireEncoding()
      return converter.outputFormat.mSampleRate
    },
    .array(kAudioConverterApplicableEncodeBitRates) { (converter) throws(AudioError) in
      try converter.bitRateRanges()
    },
    .array(kAudioConverterAvailableEncodeBitRates) { (converter) throws(AudioError) in
      try converter.bitRateRanges()
    },
    .array(kAudioConverterApplicableEncodeSampleRates) { (converter) throws(AudioError) in
      try converter.sampleRateRanges()
    },
    .array(kAudioConverterAvailableEncodeSampleRates) { (converter) throws(AudioError) in
      try converter.sampleRateRanges()
    },
    .array(kAudioConverterPropertyFormatList) { (converter) throws(AudioError) in
      [
        AudioFormatListItem(
          mASBD: converter.outputFormat,
          mChannelLayoutTag: converter.outputFormat.mChannelsPerFrame == 1
            ? kAudioChannelLayoutTag_Mono
            : converter.outputFormat.mChannelsPerFrame == 2
              ? kAudioChannelLayoutTag_Stereo
              : kAudioChannelLayoutTag_DiscreteInOrder | converter.outputFormat.mChannelsPerFrame)
      ]
    },
  ]

  /// Sets the decoder's magic cookie.
  func set(cookie: [UInt8]) throws(AudioError) {
    guard cookie.count <= 1 << 20 else {
      throw .converterPropertySize.because("a magic cookie of \(cookie.count) bytes")
    }
    try requireDecoding().cookie = cookie
    try resetSignal()
  }

  private func requireDecoding() throws(AudioError) -> PacketDecoding {
    if let decoding { return decoding }
    throw .converterProperty.because(
      "the input is not compressed: \(StreamFormat.describe(inputFormat))")
  }

  /// The encoder; throws for a converter without one.
  func requireEncoding() throws(AudioError) -> PacketEncoding {
    if let encoding { return encoding }
    throw .converterProperty.because(
      "the output is not compressed: \(StreamFormat.describe(outputFormat))")
  }

  /// Available bit rates, in bits per second for all channels together.
  var bitRates: ClosedRange<Int>? {
    guard let range = CompressedFormat.of(outputFormat.mFormatID)?.bitRates else { return nil }
    // MP3's bit rates are for the whole stream.
    guard outputFormat.mFormatID != kAudioFormatMPEGLayer3 else { return range }
    let channels = Int(outputFormat.mChannelsPerFrame)
    return range.lowerBound * channels...range.upperBound * channels
  }

  /// Available bit rates in bits per second.
  func bitRateRanges() throws(AudioError) -> [AudioValueRange] {
    _ = try requireEncoding()
    return bitRates.map {
      [AudioValueRange(mMinimum: Double($0.lowerBound), mMaximum: Double($0.upperBound))]
    } ?? []
  }

  /// Sample rates that can be encoded.
  func sampleRateRanges() throws(AudioError) -> [AudioValueRange] {
    _ = try requireEncoding()
    return CompressedFormat.of(outputFormat.mFormatID)?.sampleRateRanges ?? []
  }
}
