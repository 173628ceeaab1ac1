// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Plays its input at half to twice the speed and the same pitch, with little computation.
/// `TimeDomainStretcher` describes the method.
struct IPodTime: ConverterKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_AUiPodTime, "AUiPodTime")
  typealias Setting = NoSettings
  static let canBypass = true

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case rate

    var spec: ParameterSpec {
      .init(
        "rate", .rate, 0.5...2, default: 1, display: .flag_DisplayLogarithmic, ramps: true)
    }
  }

  private var stretcher: TimeDomainStretcher

  static func memory(_ setup: KernelSetup) -> Int {
    TimeDomainStretcher.memory(
      channelCount: setup.format.channelCount, sampleRate: setup.format.sampleRate)
      + 16 * setup.maximumFrames
  }

  init(_ setup: KernelSetup) {
    stretcher = TimeDomainStretcher(
      channelCount: setup.format.channelCount, sampleRate: setup.format.sampleRate,
      maximumFrames: setup.maximumFrames)
  }

  mutating func reset() { stretcher.reset() }

  /// The latency at a rate of 1.
  var latencyFrames: Int { Int(stretcher.latency(rate: 1)) }

  /// The rate at the start of the slice.
  @_noLocks
  private func rate(_ values: Values) -> Float { values.isBypassed ? 1 : values[.rate] }

  /// The latency in frames, which depends on the rate.
  func latencyFrames(_ values: Values) -> Double { stretcher.latency(rate: rate(values)) }

  /// The length of a piece.
  func tailTime(_ values: Values) -> Double? { 0.06 }

  /// The longest slice that the stored input allows.
  @_noLocks
  func longestSlice(_ values: Values) -> Int {
    stretcher.longestSlice(rate: rate(values), slope: values.step(.rate))
  }

  /// Input frames that are not in the output yet.
  @_noLocks
  func pendingInputFrames(_ values: Values) -> Double { stretcher.pendingFrames }

  /// Prepares the slice; returns the number of input frames that it needs.
  @_noLocks
  mutating func inputFrames(for outputFrames: Int, _ values: Values) -> Int {
    stretcher.prepare(
      outputFrames, rate: rate(values), slope: values.isBypassed ? 0 : values.step(.rate))
  }

  @_noLocks
  mutating func consume(_ input: Slice, _ values: Values) {
    stretcher.consume(input.readable, frames: input.frameCount)
  }

  @_noLocks
  mutating func render(_ output: Slice, _ values: Values) {
    stretcher.render(
      to: output.channels, offset: output.offset, frames: output.frameCount,
      isBypassed: values.isBypassed)
  }
}
