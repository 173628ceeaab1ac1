// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Copies one input to two outputs, unchanged to the bit.
struct Splitter: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_Splitter, "AUSplitter")
  static let elements = ElementCounts(inputs: 1, outputs: 2)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: -1)]

  init(_ setup: KernelSetup) {}

  mutating func reset() {}

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) {
    inputs.copyFirst(to: outputs)
  }
}

/// Copies one input to any number of outputs, unchanged to the bit.
struct MultiSplitter: MixerKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Mixer, kAudioUnitSubType_MultiSplitter, "AUMultiSplitter")
  static let elements = ElementCounts(inputs: 1, outputs: 2, outputRange: 1...1024)
  static let channels: [AUChannelInfo]? = [.init(inChannels: -1, outChannels: -1)]

  init(_ setup: KernelSetup) {}

  mutating func reset() {}

  @_noLocks
  mutating func render(
    _ inputs: BusSlices, _ outputs: BusSlices, _ values: Values
  ) {
    inputs.copyFirst(to: outputs)
  }
}

extension BusSlices {
  /// [render thread] Copies the first bus to every bus of `outputs`, which have the same number of
  /// channels.
  @_noLocks
  fileprivate func copyFirst(to outputs: BusSlices) {
    for bus in 0..<outputs.count {
      let output = outputs[bus]
      for channel in 0..<output.channelCount {
        Samples.copy(self[0][channel], to: output[channel], count: output.frameCount)
      }
    }
  }
}
