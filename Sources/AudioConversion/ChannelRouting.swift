// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Assigns a source channel to each destination channel, as in
/// `kAudioOutputUnitProperty_ChannelMap`: -1 is silence.
package enum ChannelRouting {
  /// [control thread] The default map: mono goes to both of the first two speakers, otherwise
  /// channel by channel.
  package static func natural(from inputs: Int, to outputs: Int) -> [Int32] {
    (0..<outputs).map { inputs == 1 && $0 < 2 ? 0 : $0 < inputs ? Int32($0) : -1 }
  }

  /// [control thread] A map fitted to its destination: truncated, or extended with silence.
  package static func fitted(_ map: [Int32], to outputs: Int) -> [Int32] {
    (0..<outputs).map { $0 < map.count ? map[$0] : -1 }
  }
}

extension ChannelMap {
  /// [control thread] The given map, truncated or extended with silence; without one, a mix by the
  /// given gains; without either, the natural map.
  package static func make(
    _ map: [Int32]?, mixing gains: [Float]? = nil, from inputs: Int, to outputs: Int
  ) -> ChannelMap {
    if map == nil, let gains {
      return ChannelMap(gains: gains, inputChannelCount: inputs, outputChannelCount: outputs)
    }
    if map == nil, inputs == 2, outputs == 1 {
      // Only this map can average both channels.
      return ChannelMap(inputChannelCount: 2, outputChannelCount: 1)
    }
    let routing =
      map.map { ChannelRouting.fitted($0, to: outputs) }
      ?? ChannelRouting.natural(from: inputs, to: outputs)
    return ChannelMap(routing, inputChannelCount: inputs)
  }
}
