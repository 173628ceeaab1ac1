// SPDX-License-Identifier: Apache-2.0
internal import CAudioToolbox

/// How channels become fewer where nobody states how: by the coefficients of ITU-R BS.775 (centre and
/// surrounds at -3 dB), so that no channel is lost but the one for low-frequency effects. Mono is the
/// mean of left and right.
package enum ChannelMix {
  /// [any thread] The gain from each input channel to each output channel, a row for each input
  /// channel.
  ///
  /// Channels without positions have no coefficients: then the first ones stay. Without a layout, or
  /// with that of another number of channels, the input has the usual one. The channels for
  /// low-frequency effects go to left and right with the gain `lowFrequencyGain`.
  package static func gains(
    from inputs: Int, _ layout: ChannelLayout? = nil, to outputs: Int, lowFrequencyGain: Float = 0
  ) -> [Float] {
    let input = layout.flatMap { $0.labels.count == inputs ? $0 : nil } ?? usual(inputs)
    var gains = [Float](repeating: 0, count: max(0, inputs * outputs))
    // Mono is made of stereo, whatever the input is.
    if outputs == 1, inputs > 1 {
      let stereo = matrix(input, inputs, 2, lowFrequencyGain)
      gains = (0..<inputs).map { (stereo[2 * $0] + stereo[2 * $0 + 1]) / 2 }
    } else {
      gains = matrix(input, inputs, outputs, lowFrequencyGain)
    }
    if gains.allSatisfy({ $0 == 0 }) {
      for channel in 0..<min(inputs, outputs) { gains[channel * outputs + channel] = 1 }
    }
    return gains
  }

  private static func matrix(
    _ input: ChannelLayout, _ inputs: Int, _ outputs: Int, _ lowFrequencyGain: Float
  ) -> [Float] {
    let output = usual(outputs)
    var gains = LayoutMixing.matrix(from: input, to: output)
    let sides = [kAudioChannelLabel_Left, kAudioChannelLabel_Right]
    for (index, label) in input.labels.enumerated()
    where label == kAudioChannelLabel_LFEScreen || label == kAudioChannelLabel_LFE2 {
      guard !output.labels.contains(label) else { continue }
      for (channel, label) in output.labels.enumerated() where sides.contains(label) {
        gains[index * outputs + channel] += lowFrequencyGain
      }
    }
    return gains
  }

  /// The layout that files with so many channels have if they state none.
  private static func usual(_ count: Int) -> ChannelLayout {
    let tags = [
      kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_WAVE_3_0,
      kAudioChannelLayoutTag_WAVE_4_0_B, kAudioChannelLayoutTag_WAVE_5_0_B,
      kAudioChannelLayoutTag_WAVE_5_1_B, kAudioChannelLayoutTag_WAVE_6_1,
      kAudioChannelLayoutTag_WAVE_7_1,
    ]
    if tags.indices.contains(count - 1), let layout = ChannelLayout(tag: tags[count - 1]) {
      return layout
    }
    return ChannelLayout(labels: (0..<max(0, count)).map { 0x10000 | UInt32(clamping: $0) })
  }
}
