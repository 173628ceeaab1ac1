// SPDX-License-Identifier: Apache-2.0

/// Assigns an input channel to each output channel, or mixes them.
///
/// Channels are planar Float32; input and output memory do not overlap.
public struct ChannelMap: ~Copyable {
  /// Number of input and of output channels.
  public let inputChannelCount: Int
  public let outputChannelCount: Int
  private let sources: UnsafeMutablePointer<Int32>
  private let averages: Bool
  /// A gain from each input channel to each output channel, a row for each input channel; nil if
  /// channels are only assigned.
  private let gains: UnsafeMutablePointer<Float>?

  /// Makes the usual map between two channel counts. [control thread]
  ///
  /// Mono goes to both channels of stereo; stereo becomes the mean of its channels in mono.
  /// Otherwise channels map one to one, and outputs without a source are silent.
  public init(inputChannelCount: Int, outputChannelCount: Int) {
    self.inputChannelCount = inputChannelCount
    self.outputChannelCount = outputChannelCount
    averages = inputChannelCount == 2 && outputChannelCount == 1
    gains = nil
    sources = .allocate(capacity: max(1, outputChannelCount))
    for channel in 0..<outputChannelCount {
      let isCopy = inputChannelCount == 1 && outputChannelCount == 2
      sources[channel] = isCopy ? 0 : channel < inputChannelCount ? Int32(channel) : -1
    }
  }

  /// Makes an explicit map: the input channel for each output channel. [control thread]
  ///
  /// A negative number, or the number of a missing channel, means silence.
  public init(_ map: [Int32], inputChannelCount: Int) {
    self.inputChannelCount = inputChannelCount
    outputChannelCount = map.count
    averages = false
    gains = nil
    sources = .allocate(capacity: max(1, map.count))
    for (channel, source) in map.enumerated() {
      sources[channel] = source >= 0 && source < inputChannelCount ? source : -1
    }
  }

  /// Makes a mix, from a gain, linear, from each input channel to each output channel: a row for each
  /// input channel. Missing ones are 0. [control thread]
  public init(gains: [Float], inputChannelCount: Int, outputChannelCount: Int) {
    self.inputChannelCount = inputChannelCount
    self.outputChannelCount = outputChannelCount
    averages = false
    sources = .allocate(capacity: max(1, outputChannelCount))
    sources.initialize(repeating: -1, count: max(1, outputChannelCount))
    let count = inputChannelCount * outputChannelCount
    let table = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
    for index in 0..<count { table[index] = index < gains.count ? gains[index] : 0 }
    self.gains = table
  }

  deinit {
    sources.deallocate()
    gains?.deallocate()
  }

  /// Input channel of an output channel; nil if it is silent or mixed. [any thread]
  @_noLocks
  public func source(of channel: Int) -> Int? {
    averages || sources[channel] < 0 ? nil : Int(sources[channel])
  }

  /// Writes all output channels. [render thread]
  @_noLocks
  public func apply(
    _ input: UnsafePointer<UnsafePointer<Float>>,
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    if averages {
      let (left, right, mean) = (input[0], input[1], output[0])
      for frame in 0..<frameCount { mean[frame] = (left[frame] + right[frame]) * 0.5 }
      return
    }
    if let gains { return mix(input, gains, to: output, frameCount) }
    for channel in 0..<outputChannelCount {
      if sources[channel] < 0 {
        Samples.clear(output[channel], count: frameCount)
      } else {
        Samples.copy(input[Int(sources[channel])], to: output[channel], count: frameCount)
      }
    }
  }
  @_noLocks
  private func mix(
    _ input: UnsafePointer<UnsafePointer<Float>>, _ gains: UnsafeMutablePointer<Float>,
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) {
    for channel in 0..<outputChannelCount {
      let sum = output[channel]
      Samples.clear(sum, count: frameCount)
      for source in 0..<inputChannelCount {
        let gain = gains[source * outputChannelCount + channel]
        guard gain != 0 else { continue }
        let samples = input[source]
        for frame in 0..<frameCount { sum[frame] += samples[frame] * gain }
      }
    }
  }
}
