// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The names and labels of a device's channels, in the order of WAV files and sound servers.
enum ChannelNames {
  private static let names = [
    "Front Left", "Front Right", "Front Center", "LFE", "Rear Left", "Rear Right", "Side Left",
    "Side Right",
  ]
  private static let front = [
    kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_Center,
    kAudioChannelLabel_LFEScreen,
  ]
  private static let surround = [
    kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround,
  ]
  private static let rear = [
    kAudioChannelLabel_RearSurroundLeft, kAudioChannelLabel_RearSurroundRight,
  ]

  /// A label for each channel. Unusual channel counts get numbered labels.
  static func labels(_ count: Int) -> [AudioChannelLabel] {
    switch count {
    case 1: [kAudioChannelLabel_Mono]
    case 2: Array(front.prefix(2))
    case 6: front + surround
    case 8: front + rear + surround
    default:
      (0..<count).map { AudioChannelLabel(kAudioChannelLabel_Discrete_0) + UInt32(clamping: $0) }
    }
  }

  /// The display name of a channel, counted from 0.
  static func name(_ channel: Int, of count: Int) -> String {
    switch count {
    case 1: "Mono"
    case 2, 6, 8: names[channel]
    default: "Channel \(channel + 1)"
    }
  }
}
