// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension Converter {
  /// The state of a converter's codec: its encoder, or else its decoder.
  private struct CodecState {
    let codec: CompressedFormat
    let isEncoder: Bool
    /// The formats on both sides: packets, and samples.
    let packets: AudioStreamBasicDescription
    let samples: StreamFormat

    var input: AudioStreamBasicDescription { isEncoder ? samples.description : packets }
    var output: AudioStreamBasicDescription { isEncoder ? packets : samples.description }

    var sampleRates: [AudioValueRange] { codec.sampleRateRanges }

    /// Sample rates on the PCM side: those of the packets, except for a decoder with a fixed rate.
    var rates: [AudioValueRange] {
      guard changesRate else { return sampleRates }
      return [AudioValueRange(mMinimum: samples.sampleRate, mMaximum: samples.sampleRate)]
    }

    var changesRate: Bool { !isEncoder && codec.hasOneDecodedRate }

    var layoutTags: [AudioChannelLayoutTag] {
      let count = Int(packets.mChannelsPerFrame)
      return [
        ChannelLayout.standard(channelCount: count).knownTag
          ?? kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: count)
      ]
    }

    var channelCounts: [UInt32] {
      codec.channelCounts.upperBound > 64
        ? [0xFFFF_FFFF] : codec.channelCounts.map { UInt32(clamping: $0) }
    }
  }

  private func codec() throws(AudioError) -> CodecState {
    if let encoding {
      return CodecState(
        codec: encoding.codec, isEncoder: true, packets: outputFormat,
        samples: encoding.encoder.format)
    }
    guard let decoding, let codec = CompressedFormat.of(inputFormat.mFormatID) else {
      throw .converterProperty.because("the converter has no codec: both formats are linear PCM")
    }
    return CodecState(
      codec: codec, isEncoder: false, packets: inputFormat, samples: decoding.decodedFormat)
  }

  /// The properties of codecs, `kAudioCodecProperty…`.
  static let codecStates: [PropertyRow<Converter>] =
    codecFormats + codecSizes + codecNames
    + codecControls

  private static let codecFormats: [PropertyRow<Converter>] = [
    .array(kAudioCodecPropertySupportedInputFormats) { (converter) throws(AudioError) in
      [try converter.codec().input]
    },
    .array(kAudioCodecPropertySupportedOutputFormats) { (converter) throws(AudioError) in
      [try converter.codec().output]
    },
    .array(kAudioCodecPropertyInputFormatsForOutputFormat) { (converter) throws(AudioError) in
      [try converter.codec().input]
    },
    .array(kAudioCodecPropertyOutputFormatsForInputFormat) { (converter) throws(AudioError) in
      [try converter.codec().output]
    },
    .value(kAudioCodecPropertyCurrentInputFormat) { (converter) throws(AudioError) in
      try converter.codec().input
    },
    .value(kAudioCodecPropertyCurrentOutputFormat) { (converter) throws(AudioError) in
      try converter.codec().output
    },
    .value(kAudioCodecPropertyCurrentInputSampleRate) { (converter) throws(AudioError) in
      try converter.codec().input.mSampleRate
    },
    .value(kAudioCodecPropertyCurrentOutputSampleRate) { (converter) throws(AudioError) in
      try converter.codec().output.mSampleRate
    },
    rates(kAudioCodecPropertyAvailableInputSampleRates, isInput: true),
    rates(kAudioCodecPropertyApplicableInputSampleRates, isInput: true),
    rates(kAudioCodecPropertyAvailableOutputSampleRates, isInput: false),
    rates(kAudioCodecPropertyApplicableOutputSampleRates, isInput: false),
    .array(kAudioCodecPropertyAvailableNumberChannels) { (converter) throws(AudioError) in
      try converter.codec().channelCounts
    },
    .array(kAudioCodecPropertyAvailableInputChannelLayoutTags) { (converter) throws(AudioError) in
      try converter.codec().layoutTags
    },
    .array(kAudioCodecPropertyAvailableOutputChannelLayoutTags) { (converter) throws(AudioError) in
      try converter.codec().layoutTags
    },
    .value(kAudioCodecPropertyDoesSampleRateConversion) { (converter) throws(AudioError) in
      try converter.codec().changesRate ? 1 : 0 as UInt32
    },
    .array(kAudioCodecPropertyFormatList) { (converter) throws(AudioError) in
      let state = try converter.codec()
      return [
        AudioFormatListItem(mASBD: state.packets, mChannelLayoutTag: state.layoutTags[0])
      ]
    },
    .exchange(kAudioCodecPropertyFormatInfo, AudioFormatInfo.self) {
      (converter, _, info) throws(AudioError) in
      let state = try converter.codec()
      guard info.mASBD.mFormatID == state.packets.mFormatID || info.mASBD.mFormatID == 0 else {
        throw .converterFormat.because(
          "'\(FourCharacterCode(info.mASBD.mFormatID))' is not the format of \(state.codec.name)")
      }
      info.mASBD.mFormatID = state.packets.mFormatID
      guard info.mMagicCookieSize == 0 || info.mMagicCookie != nil,
        info.mMagicCookieSize <= 1 << 20
      else {
        throw .converterPropertySize.because(
          "a magic cookie of \(info.mMagicCookieSize) "
            + "bytes\(info.mMagicCookie == nil ? " at a null address" : "")"
        )
      }
      let cookie = Array(
        UnsafeRawBufferPointer(start: info.mMagicCookie, count: Int(info.mMagicCookieSize)))
      info.mASBD = try FormatProperties.completed(info.mASBD, cookie: cookie)
    },
  ]

  private static func rates(_ id: AudioConverterPropertyID, isInput: Bool) -> PropertyRow<Converter>
  {
    .array(id) { (converter) throws(AudioError) in
      let state = try converter.codec()
      // Samples are an encoder's input and a decoder's output.
      return isInput == state.isEncoder ? state.rates : state.sampleRates
    }
  }

  private static let codecSizes: [PropertyRow<Converter>] = [
    .value(kAudioCodecPropertyMinimumNumberInputPackets) { (converter) throws(AudioError) in
      _ = try converter.codec()
      return 1 as UInt32
    },
    .value(kAudioCodecPropertyMinimumNumberOutputPackets) { (converter) throws(AudioError) in
      _ = try converter.codec()
      return 1 as UInt32
    },
    .value(kAudioCodecPropertyIsInitialized) { (converter) throws(AudioError) in
      _ = try converter.codec()
      return 1 as UInt32
    },
    .value(kAudioCodecPropertyPacketFrameSize) { (converter) throws(AudioError) in
      try converter.codec().packets.mFramesPerPacket
    },
    .value(kAudioCodecPropertyHasVariablePacketByteSizes) { (converter) throws(AudioError) in
      try converter.codec().packets.mBytesPerPacket == 0 ? 1 : 0 as UInt32
    },
    .value(kAudioCodecPropertyEmploysDependentPackets) { (converter) throws(AudioError) in
      _ = try converter.codec()
      return 0 as UInt32
    },
    .value(kAudioCodecPropertyMaximumPacketByteSize) { (converter) throws(AudioError) in
      try converter.codec().isEncoder ? converter.outputPacketSize : converter.inputPacketSize
    },
    .value(kAudioCodecPropertyInputBufferSize) { (converter) throws(AudioError) in
      guard let encoding = converter.encoding else {
        _ = try converter.codec()
        return converter.inputPacketSize
      }
      return UInt32(
        clamping: encoding.encoder.framesPerPass * encoding.encoder.format.bytesPerFrame)
    },
    .value(kAudioCodecPropertyUsedInputBufferSize) { (converter) throws(AudioError) in
      // A decoder holds no packets: each is decoded immediately.
      guard let encoding = converter.encoding else {
        _ = try converter.codec()
        return 0 as UInt32
      }
      return UInt32(clamping: encoding.gathered * encoding.encoder.format.bytesPerFrame)
    },
    .value(kAudioCodecPropertyPaddedZeros) { (converter) throws(AudioError) in
      try converter.requireEncoding().primeInfo.trailingFrames
    },
  ]

  private static let codecNames: [PropertyRow<Converter>] = [
    .list(kAudioCodecPropertyNameCFString) { (converter) throws(AudioError) in
      let state = try converter.codec()
      return .string("\(state.codec.name) \(state.isEncoder ? "encoder" : "decoder")")
    },
    .list(kAudioCodecPropertyManufacturerCFString) { (converter) throws(AudioError) in
      .string(try converter.codec().codec.maker)
    },
    .list(kAudioCodecPropertyFormatCFString) { (converter) throws(AudioError) in
      .string(try converter.codec().codec.name)
    },
  ]
}
