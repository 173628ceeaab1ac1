// SPDX-License-Identifier: Apache-2.0
internal import CAudioToolbox

/// Converts the channels of one layout to those of another.
package enum LayoutMixing {
  /// The input channel of each output channel; -1 if the input has no channel of that label.
  package static func map(from input: ChannelLayout, to output: ChannelLayout) -> [Int32] {
    output.labels.map { label in
      input.labels.firstIndex { same($0, label) }.map { Int32($0) } ?? -1
    }
  }

  /// A gain from each input channel to each output channel, a row for each input channel.
  ///
  /// Channels that the output has are passed through. Others go to the channels on both sides at -3
  /// dB, or to the nearest one, as in ITU-R BS.775-3, annex 4; low-frequency effects are dropped.
  /// Nothing is attenuated: sums may exceed full scale.
  package static func matrix(from input: ChannelLayout, to output: ChannelLayout) -> [Float] {
    var rows: [Float] = []
    for label in input.labels {
      var row = [Float](repeating: 0, count: output.labels.count)
      spread(label, 1, into: &row, output, depth: 0)
      rows += row
    }
    return rows
  }

  private static let half: Float = 0.707_106_77

  private static func spread(
    _ label: AudioChannelLabel, _ gain: Float, into row: inout [Float], _ output: ChannelLayout,
    depth: Int
  ) {
    if let index = output.labels.firstIndex(where: { same($0, label) }) {
      row[index] += gain
      return
    }
    // A chain of replacements is no longer than the number of kinds of positions.
    guard depth < 6 else { return }
    for (other, share) in replacement(of: label, in: output) {
      spread(other, gain * share, into: &row, output, depth: depth + 1)
    }
  }

  /// Mono and the centre are the same position.
  private static func same(_ one: AudioChannelLabel, _ other: AudioChannelLabel) -> Bool {
    func position(_ label: AudioChannelLabel) -> AudioChannelLabel {
      label == kAudioChannelLabel_Mono ? kAudioChannelLabel_Center : label
    }
    return position(one) == position(other)
  }

  /// The channels that replace one that the output lacks, with their gains.
  private static func replacement(of label: AudioChannelLabel, in output: ChannelLayout)
    -> [(AudioChannelLabel, Float)]
  {
    func has(_ label: AudioChannelLabel) -> Bool { output.labels.contains { same($0, label) } }
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
