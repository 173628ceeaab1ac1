// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The properties of codecs, `kAudioCodecProperty…`, that describe their state.
enum CodecStateProperties {
  /// One row for each property.
  static let rows = formats + sizes + names

  private static let formats: [PropertyRow<SignalPath>] = [
    .array(kAudioCodecPropertySupportedInputFormats) { (path) throws(AudioError) in
      [try CodecState(path).input]
    },
    .array(kAudioCodecPropertySupportedOutputFormats) { (path) throws(AudioError) in
      [try CodecState(path).output]
    },
    .array(kAudioCodecPropertyInputFormatsForOutputFormat) { (path) throws(AudioError) in
      [try CodecState(path).input]
    },
    .array(kAudioCodecPropertyOutputFormatsForInputFormat) { (path) throws(AudioError) in
      [try CodecState(path).output]
    },
    .value(kAudioCodecPropertyCurrentInputFormat) { (path) throws(AudioError) in
      try CodecState(path).input
    },
    .value(kAudioCodecPropertyCurrentOutputFormat) { (path) throws(AudioError) in
      try CodecState(path).output
    },
    .value(kAudioCodecPropertyCurrentInputSampleRate) { (path) throws(AudioError) in
      try CodecState(path).input.mSampleRate
    },
    .value(kAudioCodecPropertyCurrentOutputSampleRate) { (path) throws(AudioError) in
      try CodecState(path).output.mSampleRate
    },
    rates(kAudioCodecPropertyAvailableInputSampleRates, isInput: true),
    rates(kAudioCodecPropertyApplicableInputSampleRates, isInput: true),
    rates(kAudioCodecPropertyAvailableOutputSampleRates, isInput: false),
    rates(kAudioCodecPropertyApplicableOutputSampleRates, isInput: false),
    .array(kAudioCodecPropertyAvailableNumberChannels) { (path) throws(AudioError) in
      try CodecState(path).channelCounts
    },
    .array(kAudioCodecPropertyAvailableInputChannelLayoutTags) { (path) throws(AudioError) in
      try CodecState(path).layoutTags
    },
    .array(kAudioCodecPropertyAvailableOutputChannelLayoutTags) { (path) throws(AudioError) in
      try CodecState(path).layoutTags
    },
    .value(kAudioCodecPropertyDoesSampleRateConversion) { (path) throws(AudioError) in
      try CodecState(path).changesRate ? 1 : 0 as UInt32
    },
    .array(kAudioCodecPropertyFormatList) { (path) throws(AudioError) in
      let state = try CodecState(path)
      return [
        AudioFormatListItem(mASBD: state.packets, mChannelLayoutTag: state.layoutTags[0])
      ]
    },
    .exchange(kAudioCodecPropertyFormatInfo, AudioFormatInfo.self) {
      (path, _, info) throws(AudioError) in
      let state = try CodecState(path)
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

  private static func rates(_ id: AudioConverterPropertyID, isInput: Bool) -> PropertyRow<
    SignalPath
  > {
    .array(id) { (path) throws(AudioError) in
      let state = try CodecState(path)
      // Samples are an encoder's input and a decoder's output.
      return isInput == state.isEncoder ? state.rates : state.sampleRates
    }
  }

  private static let sizes: [PropertyRow<SignalPath>] = [
    .value(kAudioCodecPropertyMinimumNumberInputPackets) { (path) throws(AudioError) in
      _ = try CodecState(path)
      return 1 as UInt32
    },
    .value(kAudioCodecPropertyMinimumNumberOutputPackets) { (path) throws(AudioError) in
      _ = try CodecState(path)
      return 1 as UInt32
    },
    .value(kAudioCodecPropertyIsInitialized) { (path) throws(AudioError) in
      _ = try CodecState(path)
      return 1 as UInt32
    },
    .value(kAudioCodecPropertyPacketFrameSize) { (path) throws(AudioError) in
      try CodecState(path).packets.mFramesPerPacket
    },
    .value(kAudioCodecPropertyHasVariablePacketByteSizes) { (path) throws(AudioError) in
      try CodecState(path).packets.mBytesPerPacket == 0 ? 1 : 0 as UInt32
    },
    .value(kAudioCodecPropertyEmploysDependentPackets) { (path) throws(AudioError) in
      _ = try CodecState(path)
      return 0 as UInt32
    },
    .value(kAudioCodecPropertyMaximumPacketByteSize) { (path) throws(AudioError) in
      try CodecState(path).isEncoder
        ? ConverterSizes(path).outputPacket : ConverterSizes(path).inputPacket
    },
    .value(kAudioCodecPropertyInputBufferSize) { (path) throws(AudioError) in
      guard let encoding = path.encoding else {
        _ = try CodecState(path)
        return ConverterSizes(path).inputPacket
      }
      return UInt32(
        clamping: encoding.encoder.framesPerPass * encoding.encoder.format.bytesPerFrame)
    },
    .value(kAudioCodecPropertyUsedInputBufferSize) { (path) throws(AudioError) in
      // A decoder holds no packets: each is decoded immediately.
      guard let encoding = path.encoding else {
        _ = try CodecState(path)
        return 0 as UInt32
      }
      return UInt32(clamping: encoding.gathered * encoding.encoder.format.bytesPerFrame)
    },
    .value(kAudioCodecPropertyPaddedZeros) { (path) throws(AudioError) in
      try path.requireEncoding().primeInfo.trailingFrames
    },
  ]

  private static let names: [PropertyRow<SignalPath>] = [
    .list(kAudioCodecPropertyNameCFString) { (path) throws(AudioError) in
      let state = try CodecState(path)
      return .string("\(state.codec.name) \(state.isEncoder ? "encoder" : "decoder")")
    },
    .list(kAudioCodecPropertyManufacturerCFString) { (path) throws(AudioError) in
      let state = try CodecState(path)
      return .string(state.codec.maker(isEncoder: state.isEncoder))
    },
    .list(kAudioCodecPropertyFormatCFString) { (path) throws(AudioError) in
      .string(try CodecState(path).codec.name)
    },
  ]
}
