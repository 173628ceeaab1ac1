// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// How the channels of a file become fewer: by the coefficients of ITU-R BS.775 (centre and surrounds
/// at -3 dB), so that no channel is lost but the one for low-frequency effects. Mono is the mean of
/// left and right.
enum ChannelMix {
  /// The gain from each input channel to each output channel, a row for each input channel. `layout`:
  /// an AudioChannelLayout of the input; nil for the usual one.
  static func gains(
    from inputs: Int, _ layout: [UInt8]?, to outputs: Int
  ) throws(Failure) -> [Float] {
    guard outputs == 1, inputs > 1 else {
      return try matrix(layout ?? usual(inputs), inputs, usual(outputs), outputs)
    }
    let stereo =
      inputs == 2 ? [1, 0, 0, 1] : try matrix(layout ?? usual(inputs), inputs, usual(2), 2)
    return (0..<inputs).map { (stereo[2 * $0] + stereo[2 * $0 + 1]) / 2 }
  }

  /// The usual layout of a number of channels, as an AudioChannelLayout of a tag.
  private static func usual(_ count: Int) -> [UInt8] {
    let tags = [
      kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_WAVE_3_0,
      kAudioChannelLayoutTag_WAVE_4_0_B, kAudioChannelLayoutTag_WAVE_5_0_B,
      kAudioChannelLayoutTag_WAVE_5_1_B, kAudioChannelLayoutTag_WAVE_6_1,
      kAudioChannelLayoutTag_WAVE_7_1,
    ]
    let tag =
      tags.indices.contains(count - 1)
      ? tags[count - 1] : kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: count)
    return [tag, 0, 0, 0, 0, 0, 0, 0].withUnsafeBytes { Array($0) }
  }

  private static func matrix(
    _ input: [UInt8], _ inputs: Int, _ output: [UInt8], _ outputs: Int
  ) throws(Failure) -> [Float] {
    var gains = [Float](repeating: 0, count: inputs * outputs)
    var size = UInt32(clamping: gains.count * MemoryLayout<Float>.size)
    let status = input.withUnsafeBytes { input in
      output.withUnsafeBytes { output in
        var layouts = (input.baseAddress, output.baseAddress)
        return AudioFormatGetProperty(
          kAudioFormatProperty_MatrixMixMap,
          UInt32(clamping: MemoryLayout.size(ofValue: layouts)), &layouts, &size, &gains)
      }
    }
    try Failure.check(status, "Can't mix \(inputs) channels to \(outputs)")
    // Channels without positions have no coefficients: the first ones stay.
    if gains.allSatisfy({ $0 == 0 }) {
      for channel in 0..<min(inputs, outputs) { gains[channel * outputs + channel] = 1 }
    }
    return gains
  }
}
