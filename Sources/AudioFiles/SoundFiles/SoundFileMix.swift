// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import SignalProcessing

/// How the channels of a sound file, or of a recording, become others, as `ChannelMix` says.
package enum SoundFileMix {
  /// [any thread] The gain from each channel of a file to each output channel, a row for each channel
  /// of the file. `layout`: an AudioChannelLayout of the file; nil for the usual one.
  package static func gains(
    from inputs: Int, _ layout: [UInt8]?, to outputs: Int, lowFrequencyGain: Float = 0
  ) -> [Float] {
    ChannelMix.gains(
      from: inputs, read(layout), to: outputs, lowFrequencyGain: lowFrequencyGain)
  }

  /// [any thread] A map that mixes channels of which there are too many; more channels get those of the
  /// file, mono both of the first two.
  package static func map(
    from inputs: Int, _ layout: [UInt8]?, to outputs: Int, lowFrequencyGain: Float = 0
  ) -> ChannelMap {
    let gains =
      outputs < inputs
      ? gains(from: inputs, layout, to: outputs, lowFrequencyGain: lowFrequencyGain) : nil
    return .make(nil, mixing: gains, from: inputs, to: outputs)
  }

  private static func read(_ layout: [UInt8]?) -> ChannelLayout? {
    layout.flatMap { $0.withUnsafeBytes { ChannelLayout($0) } }
  }
}
