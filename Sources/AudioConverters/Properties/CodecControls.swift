// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension Converter {
  /// Codec properties that change its behavior.
  static let codecControls: [PropertyRow<Converter>] = [
    .array(
      kAudioCodecPropertyMagicCookie,
      get: { (converter) throws(AudioError) -> [UInt8] in
        let cookie = converter.encoding?.encoder.cookie ?? converter.decoding?.cookie ?? []
        guard !cookie.isEmpty else { throw .converterProperty.because("there is no magic cookie") }
        return cookie
      },
      set: { (converter, cookie: [UInt8]) throws(AudioError) in
        try converter.set(cookie: cookie)
      }),
    .array(kAudioCodecPropertyAvailableBitRateRange) { (converter) throws(AudioError) in
      try converter.bitRateRanges()
    },
    .array(kAudioCodecPropertyApplicableBitRateRange) { (converter) throws(AudioError) in
      try converter.bitRateRanges()
    },
    .value(
      kAudioCodecPropertyBitRateControlMode,
      get: { (converter) throws(AudioError) -> UInt32 in
        guard let mode = try converter.requireEncoding().rateMode else {
          throw .converterProperty.because(
            "the bit rate of \(StreamFormat.describe(converter.outputFormat)) depends on the sound"
          )
        }
        return mode
      },
      set: { (converter, mode: UInt32) throws(AudioError) in
        let encoding = try converter.requireEncoding()
        let modes = encoding.codec.rateModes
        guard modes.contains(mode) else {
          throw .converterOperation.because(
            "\(encoding.codec.name) has no bit rate control \(mode); it has "
              + (modes.isEmpty ? "none" : modes.sorted().map(String.init).joined(separator: ", ")))
        }
        try encoding.reopen { $0.rateMode = mode }
      }),
    .value(
      kAudioCodecPropertySoundQualityForVBR,
      get: { (converter) throws(AudioError) -> UInt32 in
        UInt32(clamping: try converter.requireVariableQuality().settings.variableQuality)
      },
      set: { (converter, quality: UInt32) throws(AudioError) in
        let quality = Int(min(quality, UInt32(kAudioCodecQuality_Max)))
        try converter.requireVariableQuality().reopen { $0.variableQuality = quality }
      }),
    .value(
      kAudioCodecPropertyMinimumDelayMode,
      get: { (converter) throws(AudioError) -> UInt32 in
        try converter.requireEncoding().settings.isShortDelay ? 1 : 0
      },
      set: { (converter, mode: UInt32) throws(AudioError) in
        let encoding = try converter.requireEncoding()
        guard mode <= 1 else {
          throw .converterOperation.because("there is no delay mode \(mode), only 0 and 1")
        }
        guard mode == 0 || encoding.codec.hasShortDelay else {
          throw .converterOperation.because("\(encoding.codec.name) has only one delay")
        }
        try encoding.reopen { $0.isShortDelay = mode == 1 }
      }),
    .list(
      kAudioCodecPropertySettings,
      get: { (converter) throws(AudioError) in
        _ = try converter.requireEncoding()
        return converter.encoderSettings
      },
      set: { (converter, list) throws(AudioError) in
        _ = try converter.requireEncoding()
        try converter.apply(settings: [list])
      }),
  ]

  private func requireVariableQuality() throws(AudioError) -> PacketEncoding {
    let encoding = try requireEncoding()
    guard encoding.codec.hasVariableQuality else {
      throw .converterProperty.because("\(encoding.codec.name) has no quality setting")
    }
    return encoding
  }
}
