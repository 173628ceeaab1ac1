// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension Converter {
  /// The properties of channel layouts and downmixing.
  static let layouts: [PropertyRow<Converter>] = [
    .array(
      kAudioConverterInputChannelLayout,
      get: { converter in
        converter.settings.inputLayout ?? layoutBytes(converter.inputFormat.mChannelsPerFrame)
      },
      set: { (converter, layout: [UInt8]) throws(AudioError) in
        try check(layout, converter.inputFormat.mChannelsPerFrame)
        try converter.change { $0.inputLayout = layout }
      }),
    .array(
      kAudioConverterOutputChannelLayout,
      get: { converter in
        converter.settings.outputLayout ?? layoutBytes(converter.outputFormat.mChannelsPerFrame)
      },
      set: { (converter, layout: [UInt8]) throws(AudioError) in
        try check(layout, converter.outputFormat.mChannelsPerFrame)
        try converter.change { $0.outputLayout = layout }
      }),
    .value(
      kAudioConverterPropertyPerformDownmix,
      get: { ($0.settings.performsDownmix ? 1 : 0) as UInt32 },
      set: { (converter, flag: UInt32) throws(AudioError) in
        try converter.change { $0.performsDownmix = flag != 0 }
      }),
    .array(kAudioConverterAvailableEncodeChannelLayoutTags) { (converter) throws(AudioError) in
      guard converter.encoding != nil else {
        throw .converterProperty.because("the output is not compressed")
      }
      let count = Int(converter.outputFormat.mChannelsPerFrame)
      return [
        ChannelLayout.standard(channelCount: count).knownTag
          ?? kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: count)
      ]
    },
  ]

  /// The default layout of this many channels, as a C structure with a tag.
  private static func layoutBytes(_ channels: UInt32) -> [UInt8] {
    let tag =
      ChannelLayout.standard(channelCount: Int(channels)).knownTag
      ?? kAudioChannelLayoutTag_DiscreteInOrder | channels
    return [tag, 0, 0, 0, 0, 0, 0, 0].withUnsafeBytes { Array($0) }
  }

  private static func check(_ layout: [UInt8], _ channels: UInt32) throws(AudioError) {
    guard let count = ChannelLayouts.channelCount(layout) else {
      throw .converterPropertySize.because(
        "\(layout.count) bytes are not a whole AudioChannelLayout")
    }
    guard count == channels else {
      throw .converterOperation.because(
        "a layout of \(count) channels for a format of \(channels)")
    }
  }

  /// How settings derive the output channels from the input channels.
  func mixing(_ settings: ConverterSettings) -> ChannelMixing {
    if let map = settings.channelMap { return .map(map) }
    if let gains = settings.mixMap { return .matrix(gains) }
    let input = layout(settings.inputLayout, inputFormat.mChannelsPerFrame)
    let output = layout(settings.outputLayout, outputFormat.mChannelsPerFrame)
    if settings.performsDownmix {
      return .matrix(LayoutMixing.matrix(from: input, to: output))
    }
    // If both layouts have the same channels, only their order changes.
    if settings.inputLayout != nil, settings.outputLayout != nil {
      let map = LayoutMixing.map(from: input, to: output)
      if map.allSatisfy({ $0 >= 0 }) { return .map(map) }
    }
    return .natural
  }

  private func layout(_ bytes: [UInt8]?, _ channels: UInt32) -> ChannelLayout {
    bytes.flatMap { bytes in bytes.withUnsafeBytes { ChannelLayout($0) } }
      ?? .standard(channelCount: Int(channels))
  }
}
