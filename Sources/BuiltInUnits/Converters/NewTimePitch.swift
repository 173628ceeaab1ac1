// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// Plays its input faster or slower, and higher or lower, independently.
///
/// `SpectralStretcher` describes the method. The overlap selects the length and density of frames,
/// and the latency: below 6, half the length and half the latency, which suits speech; from 12 on,
/// longer and twice as many; from 24 on, four times as many.
struct NewTimePitch: SpectralKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch, "AUNewTimePitch")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case rate = 0
    case pitch = 1
    case overlap = 4
    case peakLocking = 6
    case transientPreservation = 7

    var spec: ParameterSpec {
      switch self {
      case .rate: .stretchRate
      case .pitch: .stretchPitch
      case .overlap: .init("overlap", .generic, 3...32, default: 8)
      case .peakLocking:
        .init("enable peak locking", .boolean, 0...1, default: 1)
      case .transientPreservation:
        .init("enable transient preservation", .boolean, 0...1, default: 1)
      }
    }
  }

  enum Setting: SettingKey {
    case keepsFormants

    var spec: SettingSpec {
      .choice(
        kAUDiagnosticsProperty_KeepsFormants, of: [0, 1], in: [kAudioUnitScope_Global])
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

  /// The latency in output frames, which depends on the rate and the overlap.
  func latencyFrames(_ values: Values) -> Double {
    player.latency(rateAndPitch(values), smoothness(values))
  }

  @_noLocks
  private func smoothness(_ values: Values) -> StretchOptions.Smoothness {
    switch values[.overlap] {
    case ..<6: .short
    case ..<12: .usual
    case ..<24: .dense
    default: .densest
    }
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
    var options = StretchOptions()
    options.smoothness = smoothness(values)
    options.locksPeaks = values[.peakLocking] >= 0.5
    options.keepsTransients = values[.transientPreservation] >= 0.5
    options.keepsFormants = values[.keepsFormants] != 0
    return player.inputFrames(for: outputFrames, rateAndPitch(values), options)
  }

  @_noLocks
  mutating func consume(_ input: Slice, _ values: Values) { player.consume(input) }

  @_noLocks
  mutating func render(_ output: Slice, _ values: Values) {
    player.render(output, isBypassed: values.isBypassed)
  }
}
