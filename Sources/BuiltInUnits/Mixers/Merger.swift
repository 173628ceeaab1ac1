// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Merges two inputs into one output: adds them if all have the same number of channels; otherwise
/// the output has the channels of the first input followed by those of the second.
struct Merger: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_Merger, "AUMerger")
  static let elements = ElementCounts(inputs: 2, outputs: 1)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: -2)]

  init(_ setup: KernelSetup) {}

  mutating func reset() {}

  /// The reason why the channel counts are refused; nil if they are supported.
  static func refusal(inputs: [Int], outputs: [Int]) -> String? {
    guard let output = outputs.first else { return nil }
    if inputs.allSatisfy({ $0 == output }) || inputs.reduce(0, +) == output { return nil }
    return "\(output) output channels; expected as many as each input has, or as both have together"
  }

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) {
    let (first, second, output) = (inputs[0], inputs[1], outputs[0])
    if first.channelCount == output.channelCount {
      for channel in 0..<output.channelCount {
        let (a, b, sum) = (first[channel], second[channel], output[channel])
        for frame in 0..<output.frameCount { sum[frame] = a[frame] + b[frame] }
      }
    } else {
      for channel in 0..<output.channelCount {
        let source =
          channel < first.channelCount ? first[channel] : second[channel - first.channelCount]
        Samples.copy(source, to: output[channel], count: output.frameCount)
      }
    }
  }
}
