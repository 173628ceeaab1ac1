// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// How output channels are mixed from input channels.
package enum ChannelMixing: Equatable, Sendable {
  /// Channel by channel; mono goes to both of the first two.
  case natural
  /// A source channel for each output channel, -1 for silence.
  case map([Int32])
  /// A gain from each source channel to each output channel, a row for each source channel.
  case matrix([Float])
}

/// Mixes output channels from source channels, in planar Float32, according to a `ChannelMixing`.
///
/// Channels that are only passed on are not copied, only their pointers. Uses plain pointers into
/// the memory of its owner.
package struct ChannelMixer {
  package let inputCount: Int
  package let outputCount: Int
  /// Whether the output channels are exactly the source channels.
  package let isIdentity: Bool
  /// Whether channels are summed, which needs separate memory.
  package let sumsChannels: Bool
  private let sources: UnsafeMutablePointer<Int32>
  private let gains: UnsafeMutablePointer<Float>
  private let mixed: PlanarBuffer
  private let silence: PlanarBuffer
  private let outputChannels: UnsafeMutablePointer<UnsafePointer<Float>>

  /// [control thread] Makes a mixer for at most `capacity` frames per call. A shorter map or
  /// matrix leaves the other outputs silent; a longer one is cut. It is freed with `memory`.
  package init(
    _ mixing: ChannelMixing, from inputs: Int, to outputs: Int, capacity: Int,
    in memory: OwnedMemory
  ) {
    inputCount = inputs
    outputCount = outputs
    sources = memory.array(outputs, of: -1)
    gains = memory.array(inputs * outputs, of: 0)
    let map: [Int32]
    switch mixing {
    case .natural:
      map = ChannelRouting.natural(from: inputs, to: outputs)
      sumsChannels = false
    case .map(let channelMap):
      map = ChannelRouting.fitted(channelMap, to: outputs)
      sumsChannels = false
    case .matrix(let rows):
      if let routing = Self.routing(rows, from: inputs, to: outputs) {
        map = routing
        sumsChannels = false
      } else {
        map = Array(repeating: -1, count: outputs)
        for index in 0..<min(rows.count, inputs * outputs) { gains[index] = rows[index] }
        sumsChannels = true
      }
    }
    for (channel, source) in map.enumerated() where source >= 0 && Int(source) < inputs {
      sources[channel] = source
    }
    isIdentity =
      !sumsChannels && inputs == outputs
      && map.enumerated().allSatisfy { $0.offset == Int($0.element) }
    mixed = PlanarBuffer(
      channelCount: sumsChannels ? outputs : 0, capacity: sumsChannels ? capacity : 0, in: memory)
    silence = PlanarBuffer(channelCount: 1, capacity: capacity, in: memory)
    outputChannels = memory.array(outputs, of: UnsafePointer(silence.channels[0]))
  }

  /// The map that a matrix amounts to: each output is one source channel as it is, or silence. Nil if
  /// the matrix changes samples.
  private static func routing(_ rows: [Float], from inputs: Int, to outputs: Int) -> [Int32]? {
    var map = [Int32](repeating: -1, count: outputs)
    for (index, gain) in rows.prefix(inputs * outputs).enumerated() where gain != 0 {
      let (source, channel) = (index / outputs, index % outputs)
      guard gain == 1, map[channel] < 0 else { return nil }
      map[channel] = Int32(clamping: source)
    }
    return map
  }

  /// The source channel of an output channel; negative for silence, or where channels are summed.
  @_noLocks
  package func source(of channel: Int) -> Int { Int(sources[channel]) }

  /// [render thread] The output channels, which are valid until the next call or as long as the
  /// source channels are.
  @_noLocks
  package func outputs(
    of input: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) -> UnsafePointer<UnsafePointer<Float>> {
    if isIdentity { return input }
    for channel in 0..<outputCount {
      if sumsChannels {
        mix(input, to: channel, frameCount)
        outputChannels[channel] = UnsafePointer(mixed.channels[channel])
      } else {
        let source = Int(sources[channel])
        outputChannels[channel] = source < 0 ? UnsafePointer(silence.channels[0]) : input[source]
      }
    }
    return UnsafePointer(outputChannels)
  }

  @_noLocks
  private func mix(
    _ input: UnsafePointer<UnsafePointer<Float>>, to channel: Int, _ frameCount: Int
  ) {
    let output = mixed.channels[channel]
    Samples.clear(output, count: frameCount)
    for source in 0..<inputCount {
      let gain = gains[source * outputCount + channel]
      guard gain != 0 else { continue }
      let samples = input[source]
      for frame in 0..<frameCount { output[frame] += samples[frame] * gain }
    }
  }
}
