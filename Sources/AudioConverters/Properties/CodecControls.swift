// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The properties of codecs that change what they do.
enum CodecControls {
  /// One row for each property.
  static let rows: [PropertyRow<SignalPath>] = [
    .array(
      kAudioCodecPropertyMagicCookie,
      get: { (path) throws(AudioError) -> [UInt8] in
        let cookie = path.encoding?.encoder.cookie ?? path.input.decoding?.cookie ?? []
        guard !cookie.isEmpty else { throw .converterProperty.because("there is no magic cookie") }
        return cookie
      },
      set: { (path, cookie: [UInt8]) throws(AudioError) in
        try path.set(cookie: cookie)
      }),
    .array(kAudioCodecPropertyAvailableBitRateRange) { (path) throws(AudioError) in
      try path.requireEncoding().availableBitRates
    },
    .array(kAudioCodecPropertyApplicableBitRateRange) { (path) throws(AudioError) in
      try path.requireEncoding().applicableBitRates
    },
    .value(
      kAudioCodecPropertyBitRateControlMode,
      get: { (path) throws(AudioError) -> UInt32 in
        guard let mode = try path.requireEncoding().rateMode else {
          throw .converterProperty.because(
            "the bit rate of \(StreamFormat.describe(path.formats.output)) depends on the sound"
          )
        }
        return mode
      },
      set: { (path, mode: UInt32) throws(AudioError) in
        let encoding = try path.requireEncoding()
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
      get: { (path) throws(AudioError) -> UInt32 in
        UInt32(clamping: try requireVariableQuality(path).settings.variableQuality)
      },
      set: { (path, quality: UInt32) throws(AudioError) in
        let quality = Int(min(quality, UInt32(kAudioCodecQuality_Max)))
        try requireVariableQuality(path).reopen { $0.variableQuality = quality }
      }),
    .value(
      kAudioCodecPropertyMinimumDelayMode,
      get: { (path) throws(AudioError) -> UInt32 in
        try path.requireEncoding().settings.isShortDelay ? 1 : 0
      },
      set: { (path, mode: UInt32) throws(AudioError) in
        let encoding = try path.requireEncoding()
        guard mode <= 1 else {
          throw .converterOperation.because("there is no delay mode \(mode), only 0 and 1")
        }
        guard mode == 0 || encoding.codec.hasShortDelay else {
          throw .converterOperation.because("\(encoding.codec.name) has only one delay")
        }
        try encoding.reopen { $0.isShortDelay = mode == 1 }
      }),
  ]

  private static func requireVariableQuality(_ path: SignalPath) throws(AudioError)
    -> PacketEncoding
  {
    let encoding = try path.requireEncoding()
    guard encoding.codec.hasVariableQuality else {
      throw .converterProperty.because("\(encoding.codec.name) has no quality setting")
    }
    return encoding
  }
}
