// SPDX-License-Identifier: Apache-2.0
internal import CAudioToolbox

/// Converts the channels of one layout to those of another.
package enum LayoutMixing {
  /// The input channel of each output channel; -1 if the input has no channel of that label.
  package static func map(from input: ChannelLayout, to output: ChannelLayout) -> [Int32] {
    let channels = ChannelsByPosition(input)
    return output.labels.map { channels[$0].map { Int32(clamping: $0) } ?? -1 }
  }

  /// A gain from each input channel to each output channel, a row for each input channel.
  ///
  /// Channels that the output has are passed through. Others go to the channels on both sides at -3
  /// dB, or to the nearest one, as in ITU-R BS.775-3, annex 4; low-frequency effects are dropped.
  /// Nothing is attenuated: sums may exceed full scale.
  package static func matrix(from input: ChannelLayout, to output: ChannelLayout) -> [Float] {
    let channels = ChannelsByPosition(output)
    var gains = [Float](repeating: 0, count: input.labels.count * output.labels.count)
    for (index, label) in input.labels.enumerated() {
      let row = index * output.labels.count
      spread(label, 1, depth: 0, among: channels) { channel, gain in gains[row + channel] += gain }
    }
    return gains
  }

  private static let half: Float = 0.707_106_77

  /// The first channel of each position in a layout, which is found at once, however many there are.
  private struct ChannelsByPosition {
    private var channels: [AudioChannelLabel: Int] = [:]

    init(_ layout: ChannelLayout) {
      for (channel, label) in layout.labels.enumerated() where self[label] == nil {
        channels[Self.position(label)] = channel
      }
    }

    subscript(label: AudioChannelLabel) -> Int? { channels[Self.position(label)] }

    /// Mono and the centre are the same position.
    private static func position(_ label: AudioChannelLabel) -> AudioChannelLabel {
      label == kAudioChannelLabel_Mono ? kAudioChannelLabel_Center : label
    }
  }

  /// Passes a channel's gains for the output's channels to `add`.
  private static func spread(
    _ label: AudioChannelLabel, _ gain: Float, depth: Int, among channels: ChannelsByPosition,
    _ add: (_ channel: Int, _ gain: Float) -> Void
  ) {
    if let channel = channels[label] { return add(channel, gain) }
    // A chain of replacements is no longer than the number of kinds of positions.
    guard depth < 6 else { return }
    for (other, share) in replacement(of: label, among: channels) {
      spread(other, gain * share, depth: depth + 1, among: channels, add)
    }
  }

  /// The channels that replace one that the output lacks, with their gains.
  private static func replacement(
    of label: AudioChannelLabel, among channels: ChannelsByPosition
  ) -> [(AudioChannelLabel, Float)] {
    func has(_ label: AudioChannelLabel) -> Bool { channels[label] != nil }
    let (left, right) = (kAudioChannelLabel_Left, kAudioChannelLabel_Right)
    let (leftSide, rightSide) = (kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround)
    let (leftRear, rightRear) = (
      kAudioChannelLabel_RearSurroundLeft, kAudioChannelLabel_RearSurroundRight
    )
    switch label {
    case kAudioChannelLabel_Center, kAudioChannelLabel_Mono: return [(left, half), (right, half)]
    case left, right:
      return has(kAudioChannelLabel_Center) ? [(kAudioChannelLabel_Center, half)] : []
    case leftSide: return [has(leftRear) ? (leftRear, 1) : (left, half)]
    case rightSide: return [has(rightRear) ? (rightRear, 1) : (right, half)]
    case leftRear, kAudioChannelLabel_LeftSurroundDirect: return [(leftSide, 1)]
    case rightRear, kAudioChannelLabel_RightSurroundDirect: return [(rightSide, 1)]
    case kAudioChannelLabel_CenterSurround, kAudioChannelLabel_CenterSurroundDirect:
      return [(leftSide, half), (rightSide, half)]
    case kAudioChannelLabel_LeftCenter, kAudioChannelLabel_LeftWide, kAudioChannelLabel_LeftTotal,
      kAudioChannelLabel_HeadphonesLeft, kAudioChannelLabel_BinauralLeft:
      return [(left, 1)]
    case kAudioChannelLabel_RightCenter, kAudioChannelLabel_RightWide,
      kAudioChannelLabel_RightTotal, kAudioChannelLabel_HeadphonesRight,
      kAudioChannelLabel_BinauralRight:
      return [(right, 1)]
    case kAudioChannelLabel_VerticalHeightLeft: return [(left, half)]
    case kAudioChannelLabel_VerticalHeightCenter: return [(kAudioChannelLabel_Center, half)]
    case kAudioChannelLabel_VerticalHeightRight: return [(right, half)]
    case kAudioChannelLabel_LeftTopMiddle, kAudioChannelLabel_LeftTopRear,
      kAudioChannelLabel_TopBackLeft:
      return [(leftSide, half)]
    case kAudioChannelLabel_RightTopMiddle, kAudioChannelLabel_RightTopRear,
      kAudioChannelLabel_TopBackRight:
      return [(rightSide, half)]
    case kAudioChannelLabel_TopCenterSurround, kAudioChannelLabel_CenterTopRear,
      kAudioChannelLabel_TopBackCenter:
      return [(kAudioChannelLabel_CenterSurround, half)]
    default: return []
    }
  }
}
