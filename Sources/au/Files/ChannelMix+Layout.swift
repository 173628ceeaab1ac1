// SPDX-License-Identifier: Apache-2.0
import AudioConversion

extension ChannelMix {
  /// The gain from each channel of a file to each output channel. `layout`: an AudioChannelLayout of
  /// the file; nil for the usual one.
  static func gains(
    from inputs: Int, _ layout: [UInt8]?, to outputs: Int, lowFrequencyGain: Float = 0
  ) -> [Float] {
    let read = layout.flatMap { $0.withUnsafeBytes { ChannelLayout($0) } }
    return gains(from: inputs, read, to: outputs, lowFrequencyGain: lowFrequencyGain)
  }
}
