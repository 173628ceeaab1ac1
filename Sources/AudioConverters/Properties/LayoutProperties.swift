// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The properties of channel layouts and downmixing.
enum LayoutProperties {
  /// One row for each property.
  static let rows: [PropertyRow<SignalPath>] = [
    .array(
      kAudioConverterInputChannelLayout,
      get: { path in
        path.settings.inputLayout ?? layoutBytes(path.formats.input.mChannelsPerFrame)
      },
      set: { (path, layout: [UInt8]) throws(AudioError) in
        try check(layout, path.formats.input.mChannelsPerFrame)
        try path.change { $0.inputLayout = layout }
      }),
    .array(
      kAudioConverterOutputChannelLayout,
      get: { path in
        path.settings.outputLayout ?? layoutBytes(path.formats.output.mChannelsPerFrame)
      },
      set: { (path, layout: [UInt8]) throws(AudioError) in
        try check(layout, path.formats.output.mChannelsPerFrame)
        try path.change { $0.outputLayout = layout }
      }),
    .value(
      kAudioConverterPropertyPerformDownmix,
      get: { ($0.settings.performsDownmix ? 1 : 0) as UInt32 },
      set: { (path, flag: UInt32) throws(AudioError) in
        try path.change { $0.performsDownmix = flag != 0 }
      }),
    .array(kAudioConverterAvailableEncodeChannelLayoutTags) { (path) throws(AudioError) in
      guard path.encoding != nil else {
        throw .converterProperty.because("the output is not compressed")
      }
      let count = Int(path.formats.output.mChannelsPerFrame)
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
}
