// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Plays its input faster and higher, or slower and lower, like a tape.
///
/// Rate and cents express the same value: setting either sets both. A ramp of the rate is linear in
/// rate, one of the cents linear in pitch; each frame has its own rate. At a rate of 1 frames pass
/// unchanged.
struct Varispeed: ConverterKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed, "AUVarispeed")
  static let hasRenderQuality = true
  static let canBypass = true

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case playbackRate, playbackCents

    var spec: ParameterSpec {
      switch self {
      case .playbackRate:
        .init(
          "playback rate", .rate, 0.25...4, default: 1, display: .flag_DisplayLogarithmic,
          ramps: true
        ).counterpart(of: Self.playbackCents, as: .cents)
      case .playbackCents:
        .init("playback cents", .cents, -2400...2400, default: 0, ramps: true)
          .counterpart(of: Self.playbackRate, as: .rate)
      }
    }
  }

  private static let range = 0.25...4.0

  private var converter: VariableRateConverter

  static func memory(_ setup: KernelSetup) -> Int {
    VariableRateConverter.memory(
      channelCount: setup.format.channelCount, maximumFrames: setup.maximumFrames,
      quality: quality(setup), range: range)
  }

  private static func quality(_ setup: KernelSetup) -> ConversionQuality {
    switch setup.renderQuality {
    case ..<32: .low
    case ..<96: .normal
    default: .high
    }
  }

  init(_ setup: KernelSetup) {
    converter = VariableRateConverter(
      channelCount: setup.format.channelCount, maximumFrames: setup.maximumFrames,
      quality: Self.quality(setup), range: Self.range)
  }

  mutating func reset() { converter.reset() }

  var latencyFrames: Int { converter.latencyFrames }

  /// The filter's delay is counted in input frames.
  func latencyFrames(_ values: Values) -> Double {
    Double(converter.latencyFrames) / Double(values.isBypassed ? 1 : values[.playbackRate])
  }

  /// The frames in the filter.
  @_noLocks
  func pendingInputFrames(_ values: Values) -> Double { converter.pendingFrames }

  /// Prepares the rates of the slice; returns the number of input frames that it needs.
  @_noLocks
  mutating func inputFrames(for outputFrames: Int, _ values: Values) -> Int {
    if values.isBypassed {
      converter.alignToFrames(outputFrames)
    } else if values.step(.playbackCents) != 0 {
      converter.ramp(
        outputFrames, cents: values[.playbackCents], slope: values.step(.playbackCents))
    } else if values.step(.playbackRate) != 0 {
      converter.ramp(
        outputFrames, rate: values[.playbackRate], slope: values.step(.playbackRate))
    } else {
      converter.set(rate: values[.playbackRate])
    }
    return converter.inputFramesNeeded(for: outputFrames)
  }

  @_noLocks
  mutating func consume(_ input: Slice, _ values: Values) {
    converter.consume(input.readable, frames: input.frameCount)
  }

  @_noLocks
  mutating func render(_ output: Slice, _ values: Values) {
    converter.render(to: output.channels, offset: output.offset, frames: output.frameCount)
  }
}
