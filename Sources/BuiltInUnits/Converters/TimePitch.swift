// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Plays its input faster or slower, and higher or lower, independently.
///
/// It uses the method of `NewTimePitch`, without its options.
struct TimePitch: SpectralKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_TimePitch, "AUTimePitch")
  typealias Setting = NoSettings

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case rate, pitch

    var spec: ParameterSpec {
      switch self {
      case .rate: .stretchRate
      case .pitch: .stretchPitch
      }
    }
  }

  private(set) var player: SpectralPlayer

  init(player: consuming SpectralPlayer) { self.player = player }

  mutating func reset() { player.reset() }

  /// Rate and pitch of the slice, with their changes per frame.
  @_noLocks
  func rateAndPitch(_ values: Values) -> SpectralPlayer.RateAndPitch {
    guard !values.isBypassed else { return .neutral }
    return SpectralPlayer.RateAndPitch(
      rate: values[.rate], rateSlope: values.step(.rate), cents: values[.pitch],
      centsSlope: values.step(.pitch))
  }

  /// The longest slice that the stored input allows.
  @_noLocks
  func longestSlice(_ values: Values) -> Int { player.longestSlice(rateAndPitch(values)) }

  /// Input frames that are not in the output yet.
  @_noLocks
  func pendingInputFrames(_ values: Values) -> Double { player.pendingFrames(rateAndPitch(values)) }

  /// Prepares the slice; returns the number of input frames that it needs.
  @_noLocks
  mutating func inputFrames(for outputFrames: Int, _ values: Values) -> Int {
    let options = StretchOptions()
    return player.inputFrames(for: outputFrames, rateAndPitch(values), options)
  }

  @_noLocks
  mutating func consume(_ input: Slice, _ values: Values) { player.consume(input) }

  @_noLocks
  mutating func render(_ output: Slice, _ values: Values) {
    player.render(output, isBypassed: values.isBypassed)
  }
}
