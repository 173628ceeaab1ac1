// SPDX-License-Identifier: Apache-2.0

/// Mixes channels to fewer, or repeats them in more.
struct MixStep: EditStep {
  let channelCount: Int
  /// How much of the channel for low-frequency effects fewer channels get; linear.
  let lowFrequencyGain: Float

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    let sound = try input()
    guard sound.channelCount != channelCount else { return sound }
    return MixedStream(
      sound, channelCount,
      ConversionSource.gains(
        from: sound.channelCount, nil, to: channelCount, lowFrequencyGain: lowFrequencyGain))
  }
}

private final class MixedStream: SteppedStream {
  let input: any SoundStream
  let channelCount: Int
  /// The gain from each channel of the input to each of the output.
  private let gains: [Double]
  private let memory: BlockMemory

  var keepsSamples: Bool { false }

  init(_ input: any SoundStream, _ channelCount: Int, _ gains: [Float]) {
    (self.input, self.channelCount) = (input, channelCount)
    self.gains = gains.map(Double.init)
    memory = BlockMemory(channelCount: input.channelCount)
  }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let count = try input.read(into: memory.samples, min(frameCount, BlockMemory.frameCount))
    samples.update(repeating: 0, count: count * channelCount)
    for source in 0..<memory.channelCount {
      for target in 0..<channelCount {
        let gain = gains[source * channelCount + target]
        guard gain != 0 else { continue }
        for frame in 0..<count {
          samples[frame * channelCount + target] +=
            gain * memory.samples[frame * memory.channelCount + source]
        }
      }
    }
    return count
  }
}
