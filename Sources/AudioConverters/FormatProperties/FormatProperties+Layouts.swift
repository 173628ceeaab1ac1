// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
import Glibc
@_spi(TrappingConversions) import CheckedNumbers

extension FormatProperties {
  /// Properties of layouts, and of ID3 tags.
  static let layouts: [PropertyRow<FormatSpecifier>] = [
    .init(kAudioFormatProperty_ChannelLayoutForTag) { (specifier) throws(AudioError) in
      .array(try layout(tag: try specifier.value()).descriptions)
    },
    .init(kAudioFormatProperty_ChannelLayoutForBitmap) { (specifier) throws(AudioError) in
      .array(ChannelLayout(bitmap: try specifier.value()).descriptions)
    },
    .init(kAudioFormatProperty_TagForChannelLayout) { (specifier) throws(AudioError) in
      let layout = try specifier.layout()
      guard let tag = layout.knownTag else {
        throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
          "no tag has the channels \(layout.labels.map(ChannelName.shortName))")
      }
      return .value(tag)
    },
    .init(kAudioFormatProperty_BitmapForLayoutTag) { (specifier) throws(AudioError) in
      let layout = try layout(tag: try specifier.value())
      guard let bitmap = layout.bitmap else {
        throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
          "no bitmap has the channels \(layout.labels.map(ChannelName.shortName)) in this order")
      }
      return .value(bitmap)
    },
    .init(kAudioFormatProperty_NumberOfChannelsForLayout) { (specifier) throws(AudioError) in
      // A tag contains its number of channels, even if the layout is otherwise unknown.
      guard let count = ChannelLayouts.channelCount(specifier.bytes) else {
        return .value(UInt32(clamping: try specifier.layout().labels.count))
      }
      return .value(UInt32(clamping: count))
    },
    .init(kAudioFormatProperty_TagsForNumberOfChannels) { (specifier) throws(AudioError) in
      let count = try specifier.value(UInt32.self)
      guard (1...65_535).contains(count) else {
        throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
          "there is no layout of \(count) channels")
      }
      return .array(ChannelLayout.tags(channelCount: Int(count)))
    },
    .init(kAudioFormatProperty_ValidateChannelLayout) { (specifier) throws(AudioError) in
      let layout = try specifier.layout()
      guard !layout.labels.isEmpty else {
        throw AudioError.invalidArgument.because("the layout has no channels")
      }
      return .array([UInt8]())
    },
    .init(kAudioFormatProperty_AreChannelLayoutsEquivalent) { (specifier) throws(AudioError) in
      let (one, other) = try specifier.layouts()
      return .flag(one.labels == other.labels)
    },
    .init(kAudioFormatProperty_ChannelLayoutHash) { (specifier) throws(AudioError) in
      // FNV-1a: the same in every process.
      let labels = try specifier.layout().labels
      return .value(labels.reduce(UInt32(2_166_136_261)) { ($0 ^ $1) &* 16_777_619 })
    },
    .init(kAudioFormatProperty_ChannelLayoutName) { (specifier) throws(AudioError) in
      .string(try specifier.layout().name)
    },
    .init(kAudioFormatProperty_ChannelLayoutSimpleName) { (specifier) throws(AudioError) in
      .string(try specifier.layout().simpleName)
    },
    .init(kAudioFormatProperty_ChannelName) { (specifier) throws(AudioError) in
      .string(ChannelName.name(of: try specifier.value(AudioChannelDescription.self).mChannelLabel))
    },
    .init(kAudioFormatProperty_ChannelShortName) { (specifier) throws(AudioError) in
      .string(
        ChannelName.shortName(of: try specifier.value(AudioChannelDescription.self).mChannelLabel))
    },
    .init(kAudioFormatProperty_ChannelMap) { (specifier) throws(AudioError) in
      let (input, output) = try specifier.layouts()
      return .array(LayoutMixing.map(from: input, to: output))
    },
    .init(kAudioFormatProperty_MatrixMixMap) { (specifier) throws(AudioError) in
      let (input, output) = try specifier.layouts()
      let channelCount = max(input.labels.count, output.labels.count)
      guard channelCount <= FormatLimits.channelCount else {
        throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
          "a layout of \(channelCount) channels; at most \(FormatLimits.channelCount) are mixed")
      }
      return .array(LayoutMixing.matrix(from: input, to: output))
    },
    .init(kAudioFormatProperty_PanningMatrix) { (specifier) throws(AudioError) in
      let panning = try specifier.value(AudioPanningInfo.self)
      let layout = try FormatSpecifier.layout(at: UnsafeRawPointer(panning.mOutputChannelMap))
      let (x, y, _) = panning.mCoordinates
      let isRectangular = panning.mCoordinateFlags.contains(.rectangularCoordinates)
      let azimuth = isRectangular ? atan2(Double(x), Double(y)) * 180 / .pi : Double(x)
      guard azimuth.isFinite, panning.mGainScale.isFinite else {
        throw AudioError.invalidArgument.because("a coordinate or the gain is not a number")
      }
      let gains =
        panning.mPanningMode == .panningMode_SoundField
        ? LayoutPanning.fieldGains(of: layout, azimuth: azimuth)
        : LayoutPanning.gains(of: layout, azimuth: azimuth)
      return .array(gains.map { $0 * panning.mGainScale })
    },
    .init(kAudioFormatProperty_BalanceFade) { (specifier) throws(AudioError) in
      let balance = try specifier.value(AudioBalanceFade.self)
      let layout = try FormatSpecifier.layout(at: UnsafeRawPointer(balance.mChannelLayout))
      guard balance.mLeftRightBalance.isFinite, balance.mBackFrontFade.isFinite else {
        throw AudioError.invalidArgument.because("the balance or the fade is not a number")
      }
      return .array(
        LayoutPanning.gains(
          of: layout, balance: Double(balance.mLeftRightBalance),
          fade: Double(balance.mBackFrontFade), isEqualPower: balance.mType == .equalPower))
    },
    .init(kAudioFormatProperty_ID3TagSize) { (specifier) throws(AudioError) in
      let bytes = specifier.bytes
      guard bytes.count >= 10 else {
        throw AudioError(status: kAudioFormatBadSpecifierSizeError).because(
          "\(bytes.count) bytes as the specifier; the header of an ID3 tag has 10")
      }
      guard bytes.starts(with: Array("ID3".utf8)), bytes[6..<10].allSatisfy({ $0 < 0x80 }) else {
        throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
          "this is not the header of an ID3 tag")
      }
      let size = bytes[6..<10].reduce(UInt32(0)) { $0 << 7 | UInt32($1) }
      // A footer, if the flags announce one, adds ten bytes.
      return .value(size + 10 + (bytes[5] & 0x10 != 0 ? 10 : 0))
    },
  ]

  private static func layout(tag: AudioChannelLayoutTag) throws(AudioError) -> ChannelLayout {
    guard let layout = ChannelLayout(tag: tag) else {
      throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
        "the channels of layout tag 0x\(String(tag, radix: 16)) are unknown")
    }
    return layout
  }
}
