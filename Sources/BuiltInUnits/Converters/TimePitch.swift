// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Plays its input faster or slower, and higher or lower, each by itself.
///
/// The same method as that of `NewTimePitch`, with nothing to choose.
struct TimePitch: ConverterKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_TimePitch, "AUTimePitch")
  typealias Setting = NoSettings
  static let canBypass = true

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case rate, pitch

    var spec: ParameterSpec {
      switch self {
      case .rate:
        .init(
          "rate", .rate, SpectralStretcher.rates, default: 1, display: .flag_DisplayLogarithmic,
          ramps: true)
      case .pitch: .init("pitch", .cents, SpectralStretcher.pitches, default: 0, ramps: true)
      }
    }
  }

  private var player: SpectralPlayer

  static func memory(_ setup: KernelSetup) -> Int { SpectralPlayer.memory(setup) }

  init(_ setup: KernelSetup) { player = SpectralPlayer(setup) }

  mutating func reset() { player.reset() }

  /// At a rate of 1.
  var latencyFrames: Int { Int(player.latency(.neutral)) }

  /// Rate and pitch of the slice.
  @_noLocks
  private func course(_ values: Values) -> SpectralPlayer.Course {
    guard !values.isBypassed else { return .neutral }
    return SpectralPlayer.Course(
      rate: values[.rate], rateSlope: values.step(.rate), cents: values[.pitch],
      centsSlope: values.step(.pitch))
  }

  /// Frames that are heard as long ago as the rate makes of them, and those of the output.
  func latencyFrames(_ values: Values) -> Double { player.latency(course(values)) }

  /// Half a frame of the transform, at any rate.
  func tailTime(_ values: Values) -> Double? { 0.1 }

  /// The most that the kept input allows.
  @_noLocks
  func longestSlice(_ values: Values) -> Int { player.longestSlice(course(values)) }

  /// What is taken and not heard yet.
  @_noLocks
  func pendingInputFrames(_ values: Values) -> Double { player.pendingFrames(course(values)) }

  /// Lays out the slice.
  @_noLocks
  mutating func inputFrames(for outputFrames: Int, _ values: Values) -> Int {
    let options = StretchOptions()
    return player.inputFrames(for: outputFrames, course(values), options)
  }

  @_noLocks
  mutating func take(_ input: Slice, _ values: Values) { player.take(input) }

  @_noLocks
  mutating func render(_ output: Slice, _ values: Values) {
    player.render(output, isBypassed: values.isBypassed)
  }
}
