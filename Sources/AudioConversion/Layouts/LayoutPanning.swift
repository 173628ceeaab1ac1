// SPDX-License-Identifier: Apache-2.0
package import CAudioToolbox
import Glibc

/// Gains that position a sound among the speakers of a layout.
package enum LayoutPanning {
  /// A speaker's direction, in degrees to the right of the front (ITU-R BS.2051); nil for a channel
  /// without a position, such as low frequencies.
  package static func azimuth(of label: AudioChannelLabel) -> Double? {
    switch label {
    case kAudioChannelLabel_Center, kAudioChannelLabel_Mono,
      kAudioChannelLabel_VerticalHeightCenter:
      0
    case kAudioChannelLabel_Left, kAudioChannelLabel_VerticalHeightLeft,
      kAudioChannelLabel_LeftTotal, kAudioChannelLabel_HeadphonesLeft,
      kAudioChannelLabel_BinauralLeft:
      -30
    case kAudioChannelLabel_Right, kAudioChannelLabel_VerticalHeightRight,
      kAudioChannelLabel_RightTotal, kAudioChannelLabel_HeadphonesRight,
      kAudioChannelLabel_BinauralRight:
      30
    case kAudioChannelLabel_LeftCenter: -15
    case kAudioChannelLabel_RightCenter: 15
    case kAudioChannelLabel_LeftWide: -60
    case kAudioChannelLabel_RightWide: 60
    case kAudioChannelLabel_LeftSurroundDirect, kAudioChannelLabel_LeftTopMiddle: -90
    case kAudioChannelLabel_RightSurroundDirect, kAudioChannelLabel_RightTopMiddle: 90
    case kAudioChannelLabel_LeftSurround: -110
    case kAudioChannelLabel_RightSurround: 110
    case kAudioChannelLabel_RearSurroundLeft, kAudioChannelLabel_LeftTopRear,
      kAudioChannelLabel_TopBackLeft:
      -145
    case kAudioChannelLabel_RearSurroundRight, kAudioChannelLabel_RightTopRear,
      kAudioChannelLabel_TopBackRight:
      145
    case kAudioChannelLabel_CenterSurround, kAudioChannelLabel_CenterSurroundDirect,
      kAudioChannelLabel_CenterTopRear, kAudioChannelLabel_TopBackCenter:
      180
    default: nil
    }
  }

  /// The gains for a sound from a direction, in degrees to the right of the front: for the two
  /// speakers next to the direction, by the tangent law, with unit power. Channels without a
  /// position get zero.
  ///
  /// Pulkki, "Virtual sound source positioning using vector base amplitude panning", Journal of the
  /// Audio Engineering Society 45 (6), 1997.
  package static func gains(of layout: ChannelLayout, azimuth: Double) -> [Float] {
    var gains = [Float](repeating: 0, count: layout.labels.count)
    let speakers = speakersByDirection(layout)
    guard let only = speakers.first else { return gains }
    guard speakers.count > 1 else {
      gains[only.channel] = 1
      return gains
    }
    let target = wrapped(azimuth)
    let after = speakers.firstIndex { $0.azimuth >= target } ?? 0
    let (one, other) = (speakers[(after + speakers.count - 1) % speakers.count], speakers[after])
    let span = wrapped(other.azimuth - one.azimuth)
    let angle = wrapped(target - one.azimuth)
    let first: Double
    let second: Double
    if span < 175 {
      first = sin((span - angle) * .pi / 180)
      second = sin(angle * .pi / 180)
    } else {
      // Speakers too far apart for the tangent law are panned by angle.
      first = cos(angle / span * .pi / 2)
      second = sin(angle / span * .pi / 2)
    }
    let power = (first * first + second * second).squareRoot()
    gains[one.channel] += Float(first / power)
    gains[other.channel] += Float(second / power)
    return gains
  }

  /// The gains that decode a first-order sound field for the speakers, with unit power.
  package static func fieldGains(of layout: ChannelLayout, azimuth: Double) -> [Float] {
    var gains = [Float](repeating: 0, count: layout.labels.count)
    let speakers = speakersByDirection(layout)
    var power = 0.0
    for speaker in speakers {
      let gain = 1 + cos((speaker.azimuth - azimuth) * .pi / 180)
      gains[speaker.channel] = Float(gain)
      power += gain * gain
    }
    return power > 0 ? gains.map { $0 / Float(power.squareRoot()) } : gains
  }

  /// The gain of each channel for a balance, -1 left to 1 right, and a fade, -1 back to 1 front.
  ///
  /// With `isEqualPower` both sides together have constant power; otherwise the louder one has a
  /// gain of one. Channels in the middle keep a gain of one.
  package static func gains(
    of layout: ChannelLayout, balance: Double, fade: Double, isEqualPower: Bool
  ) -> [Float] {
    func gain(_ side: Double, _ value: Double) -> Double {
      guard side != 0 else { return 1 }
      let value = min(max(value, -1), 1) * side
      return isEqualPower ? sin((1 + value) * .pi / 4) : min(1, 1 + value)
    }
    return layout.labels.map { label in
      guard let azimuth = azimuth(of: label) else { return 1 }
      let side: Double = azimuth == 0 || azimuth == 180 ? 0 : azimuth > 0 ? 1 : -1
      let depth: Double = abs(azimuth) == 90 ? 0 : abs(azimuth) < 90 ? 1 : -1
      return Float(gain(side, balance) * gain(depth, fade))
    }
  }

  private static func wrapped(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest
  }

  /// The speakers ordered by direction; if several have the same direction, only the first.
  private static func speakersByDirection(_ layout: ChannelLayout) -> [(
    channel: Int, azimuth: Double
  )] {
    var speakers: [(channel: Int, azimuth: Double)] = []
    for (channel, label) in layout.labels.enumerated() {
      guard let azimuth = azimuth(of: label).map(wrapped) else { continue }
      if !speakers.contains(where: { $0.azimuth == azimuth }) {
        speakers.append((channel, azimuth))
      }
    }
    return speakers.sorted { $0.azimuth < $1.azimuth }
  }
}
