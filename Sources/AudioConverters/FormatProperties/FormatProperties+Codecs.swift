// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension FormatProperties {
  /// Properties of codecs.
  static let codecs: [PropertyRow<FormatSpecifier>] = [
    .init(kAudioFormatProperty_DecodeFormatIDs) { _ in
      .array([kAudioFormatLinearPCM] + CompressedFormat.all.filter(\.canDecode).map(\.id))
    },
    .init(kAudioFormatProperty_EncodeFormatIDs) { _ in
      .array([kAudioFormatLinearPCM] + CompressedFormat.all.filter(\.canEncode).map(\.id))
    },
    .init(kAudioFormatProperty_Decoders) { (specifier) throws(AudioError) in
      let codec = CompressedFormat.of(try specifier.value())
      return .array(classes(codec, kAudioDecoderComponentType, codec?.canDecode ?? false))
    },
    .init(kAudioFormatProperty_Encoders) { (specifier) throws(AudioError) in
      let codec = CompressedFormat.of(try specifier.value())
      return .array(classes(codec, kAudioEncoderComponentType, codec?.canEncode ?? false))
    },
    .init(kAudioFormatProperty_AvailableEncodeBitRates) { (specifier) throws(AudioError) in
      let codec = try encoder(try specifier.value())
      var ranges = codec.availableBitRates(channels: codec.channelCounts.upperBound)
      if let least = codec.bitRates(channels: 1)?.lowerBound, !ranges.isEmpty {
        ranges[0].mMinimum = Double(least)
      }
      return .array(ranges)
    },
    .init(kAudioFormatProperty_AvailableEncodeSampleRates) { (specifier) throws(AudioError) in
      .array(try encoder(try specifier.value()).sampleRateRanges)
    },
    .init(kAudioFormatProperty_AvailableEncodeChannelLayoutTags) {
      (specifier) throws(AudioError) in
      let format = try specifier.value(AudioStreamBasicDescription.self)
      let counts = try encoder(format.mFormatID).channelCounts
      let channelCount = Int(format.mChannelsPerFrame)
      let tags = counts.prefix(8).filter { channelCount == 0 || $0 == channelCount }.map {
        ChannelLayout.standard(channelCount: $0).knownTag
          ?? kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: $0)
      }
      return .array(tags)
    },
    .init(kAudioFormatProperty_AvailableEncodeNumberChannels) { (specifier) throws(AudioError) in
      let format = try specifier.value(AudioStreamBasicDescription.self)
      return .array(counts(try encoder(format.mFormatID).channelCounts))
    },
    .init(kAudioFormatProperty_AvailableDecodeNumberChannels) { (specifier) throws(AudioError) in
      let format = try specifier.value(AudioStreamBasicDescription.self)
      guard let codec = CompressedFormat.of(format.mFormatID) else { throw unknown(format) }
      return .array(counts(codec.channelCounts))
    },
    .init(kAudioFormatProperty_FirstPlayableFormatFromList) { (specifier) throws(AudioError) in
      let items = try specifier.array(AudioFormatListItem.self)
      let index = items.firstIndex {
        $0.mASBD.mFormatID == kAudioFormatLinearPCM
          || CompressedFormat.of($0.mASBD.mFormatID)?.canDecode ?? false
      }
      guard let index else {
        throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
          "none of \(items.count) formats can be decoded")
      }
      return .value(UInt32(clamping: index))
    },
  ]

  private static func classes(_ codec: CompressedFormat?, _ type: OSType, _ isAvailable: Bool)
    -> [AudioClassDescription]
  {
    guard let codec, isAvailable else { return [] }
    return [
      AudioClassDescription(
        mType: type, mSubType: codec.id, mManufacturer: kAppleSoftwareAudioCodecManufacturerCode)
    ]
  }

  /// Channel counts; 0xffffffff means any number.
  private static func counts(_ range: ClosedRange<Int>) -> [UInt32] {
    range.upperBound > 64 ? [0xFFFF_FFFF] : range.map { UInt32(clamping: $0) }
  }

  private static func encoder(_ id: AudioFormatID) throws(AudioError) -> CompressedFormat {
    guard let codec = CompressedFormat.of(id), codec.canEncode else {
      throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
        "'\(FourCharacterCode(id))' has no encoder")
    }
    return codec
  }

  /// The error for a format without a codec.
  static func unknown(_ format: AudioStreamBasicDescription) -> AudioError {
    AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
      "\(StreamFormat.describe(format)) is unknown")
  }
}
