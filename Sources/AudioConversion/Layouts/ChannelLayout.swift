// SPDX-License-Identifier: Apache-2.0
package import CAudioToolbox

/// The channels of an `AudioChannelLayout` in order, in any of its three forms.
package struct ChannelLayout: Equatable, Sendable {
  /// A label for each channel.
  package var labels: [AudioChannelLabel]
  /// The tag that it was made from; 0 for descriptions, and `UseChannelBitmap` for a bitmap.
  package var tag: AudioChannelLayoutTag

  /// [any thread] The channels of a tag; nil if the tag does not define them.
  package init?(tag: AudioChannelLayoutTag) {
    let count = Int(tag & 0xFFFF)
    self.tag = tag
    switch tag & 0xFFFF_0000 {
    case kAudioChannelLayoutTag_DiscreteInOrder:
      labels = (0..<count).map { 0x10000 | UInt32($0) }
    case kAudioChannelLayoutTag_HOA_ACN_SN3D, kAudioChannelLayoutTag_HOA_ACN_N3D:
      labels = (0..<count).map { 0x20000 | UInt32($0) }
    default:
      guard let labels = LayoutTable.labels(of: tag) else { return nil }
      self.labels = labels
    }
  }

  /// [any thread] The channels whose bits are set, from the lowest bit on.
  package init(bitmap: UInt32) {
    tag = kAudioChannelLayoutTag_UseChannelBitmap
    labels = Self.labelsOfBits.filter { bitmap & 1 << UInt32($0.bit) != 0 }.map(\.label)
  }

  /// [any thread] Labels in their order.
  package init(labels: [AudioChannelLabel]) {
    tag = kAudioChannelLayoutTag_UseChannelDescriptions
    self.labels = labels
  }

  /// [any thread] Reads the bytes of an `AudioChannelLayout`; nil if there are too few, or if the
  /// tag has no known channels.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 12 else { return nil }
    func field(_ index: Int) -> UInt32 {
      bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
    }
    switch field(0) {
    case kAudioChannelLayoutTag_UseChannelDescriptions:
      let count = Int(field(2))
      guard count <= (bytes.count - 12) / 20 else { return nil }
      self.init(labels: (0..<count).map { field(3 + 5 * $0) })
    case kAudioChannelLayoutTag_UseChannelBitmap: self.init(bitmap: field(1))
    default: self.init(tag: field(0))
    }
  }

  /// The standard layout for this many channels.
  package static func standard(channelCount: Int) -> ChannelLayout {
    let tags = [
      kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_MPEG_3_0_A,
      kAudioChannelLayoutTag_Quadraphonic, kAudioChannelLayoutTag_MPEG_5_0_A,
      kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_MPEG_6_1_A,
      kAudioChannelLayoutTag_MPEG_7_1_C,
    ]
    if (1...tags.count).contains(channelCount), let layout = Self(tag: tags[channelCount - 1]) {
      return layout
    }
    // A tag can count no more.
    let count = min(max(0, channelCount), 0xFFFF)
    return Self(labels: (0..<count).map { 0x10000 | UInt32($0) })
  }

  /// The channels as descriptions: 12 bytes, and 20 for each channel.
  package var descriptions: [UInt8] {
    var words: [UInt32] = [kAudioChannelLayoutTag_UseChannelDescriptions, 0, UInt32(labels.count)]
    for label in labels { words += [label, 0, 0, 0, 0] }
    // The C structure has at least one description.
    if labels.isEmpty { words += [0, 0, 0, 0, 0] }
    return words.withUnsafeBytes { Array($0) }
  }

  /// The tag of these channels in this order; nil if there is none.
  package var knownTag: AudioChannelLayoutTag? {
    if tag > kAudioChannelLayoutTag_UseChannelBitmap { return tag }
    if let tag = LayoutTable.tag(of: labels) { return tag }
    let isDiscrete = labels.enumerated().allSatisfy { $0.element == 0x10000 | UInt32($0.offset) }
    return isDiscrete && !labels.isEmpty
      ? kAudioChannelLayoutTag_DiscreteInOrder | UInt32(labels.count) : nil
  }

  /// The tags of layouts with this many channels, including the tag of channels without positions.
  package static func tags(channelCount: Int) -> [AudioChannelLayoutTag] {
    LayoutTable.tags(channelCount: channelCount)
      + [kAudioChannelLayoutTag_DiscreteInOrder | UInt32(channelCount)]
  }

  /// The bits of these channels; nil if a channel has no bit, or if they are not in bit order.
  package var bitmap: UInt32? {
    var bits: UInt32 = 0
    for label in labels {
      guard let row = Self.labelsOfBits.first(where: { $0.label == label }),
        bits < 1 << UInt32(row.bit)
      else { return nil }
      bits |= 1 << UInt32(row.bit)
    }
    return bits
  }

  /// For display: "5.1 (L R C LFE Ls Rs)".
  package var name: String {
    "\(simpleName) (\(labels.map(ChannelName.shortName).joined(separator: " ")))"
  }

  /// For display: "5.1".
  package var simpleName: String {
    switch labels.count {
    case 1: return "Mono"
    case 2 where labels == [kAudioChannelLabel_Left, kAudioChannelLabel_Right]: return "Stereo"
    default:
      let low = labels.filter {
        $0 == kAudioChannelLabel_LFEScreen || $0 == kAudioChannelLabel_LFE2
      }
      let isPlaced = labels.allSatisfy { $0 < 100 }
      return isPlaced ? "\(labels.count - low.count).\(low.count)" : "\(labels.count) channels"
    }
  }

  private static let labelsOfBits: [(bit: Int, label: AudioChannelLabel)] =
    (0..<18).map { ($0, UInt32($0 + 1)) } + [
      (21, kAudioChannelLabel_LeftTopMiddle), (23, kAudioChannelLabel_RightTopMiddle),
      (24, kAudioChannelLabel_LeftTopRear), (25, kAudioChannelLabel_CenterTopRear),
      (26, kAudioChannelLabel_RightTopRear),
    ]
}
