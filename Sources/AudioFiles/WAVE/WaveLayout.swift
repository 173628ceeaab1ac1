// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Converts between the loudspeaker bits of WAV files and channel layouts. The bits equal those of
/// AudioChannelBitmap.
enum WaveLayout {
  /// Layout tags whose channels are in the order of their bits.
  private static let masks: [(AudioChannelLayoutTag, UInt32)] = [
    (kAudioChannelLayoutTag_Mono, 0x4), (kAudioChannelLayoutTag_Stereo, 0x3),
    (kAudioChannelLayoutTag_StereoHeadphones, 0x3), (kAudioChannelLayoutTag_MPEG_3_0_A, 0x7),
    (kAudioChannelLayoutTag_Quadraphonic, 0x33), (kAudioChannelLayoutTag_MPEG_5_0_A, 0x37),
    (kAudioChannelLayoutTag_MPEG_5_1_A, 0x3F), (kAudioChannelLayoutTag_MPEG_6_1_A, 0x13F),
    (kAudioChannelLayoutTag_MPEG_7_1_A, 0xFF),
  ]

  /// The layout in which decoders output channels when a file states only the number of channels.
  static func native(_ channelCount: Int) -> [UInt8]? {
    let masks: [UInt32] = [0, 0, 0, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]
    let mask = masks.indices.contains(channelCount) ? masks[channelCount] : 0
    return layout(mask, channelCount: channelCount)
  }

  /// The layout of a file with these bits; nil when they do not describe its channels.
  static func layout(_ mask: UInt32, channelCount: Int) -> [UInt8]? {
    if mask == 0 {
      switch channelCount {
      case 1: return bytes(tag: kAudioChannelLayoutTag_Mono)
      case 2: return bytes(tag: kAudioChannelLayoutTag_Stereo)
      default: return nil
      }
    }
    guard mask.nonzeroBitCount == channelCount else { return nil }
    if let tag = masks.first(where: { $0.1 == mask })?.0 { return bytes(tag: tag) }
    return bytes(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: mask)
  }

  /// The bits of a layout; nil when its channels are not in the order of their bits.
  static func mask(_ layout: [UInt8], channelCount: Int) -> UInt32? {
    guard ChannelLayouts.channelCount(layout) == channelCount else { return nil }
    // In the byte order of this machine.
    let fields = ByteFields(layout, isBigEndian: 1.bigEndian == 1)
    switch fields.uint32(0) {
    case kAudioChannelLayoutTag_UseChannelBitmap: return fields.uint32(4)
    case kAudioChannelLayoutTag_UseChannelDescriptions:
      var mask: UInt32 = 0
      for channel in 0..<channelCount {
        let label = fields.uint32(12 + 20 * channel)
        guard (1...18).contains(label) else { return nil }
        let bit = UInt32(1) << (label - 1)
        guard bit > mask else { return nil }
        mask |= bit
      }
      return mask
    case kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: channelCount): return 0
    case let tag: return masks.first { $0.0 == tag }?.1
    }
  }

  /// The layout of the same channels in the order of their bits; nil if a channel has no bit, or the
  /// same one as another.
  static func ordered(_ layout: [UInt8]) -> [UInt8]? {
    guard let labels = layout.withUnsafeBytes({ ChannelLayout($0) })?.labels else { return nil }
    var mask: UInt32 = 0
    for label in labels {
      guard (1...18).contains(label), mask & 1 << (label - 1) == 0 else { return nil }
      mask |= 1 << (label - 1)
    }
    return self.layout(mask, channelCount: labels.count)
  }

  /// A layout without descriptions.
  static func bytes(tag: AudioChannelLayoutTag, bitmap: UInt32 = 0) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: 1.bigEndian == 1)
    builder.number(tag)
    builder.number(bitmap)
    builder.zeros(24)
    return builder.bytes
  }
}
