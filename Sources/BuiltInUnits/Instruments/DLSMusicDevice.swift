// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import SignalProcessing

/// A synthesizer with sixteen General MIDI channels that plays a bank of instruments.
struct DLSMusicDevice: InstrumentKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth, "DLSMusicDevice")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case tuning, volume, reverbVolume

    var spec: ParameterSpec {
      switch self {
      case .tuning: .init("tuning", .cents, -1200...1200, default: 0)
      case .volume: .init("volume", .decibels, -120...40, default: 0)
      case .reverbVolume: .init("reverb volume", .decibels, -120...40, default: 0)
      }
    }
  }

  enum Setting: SettingKey {
    case reverberation

    var spec: SettingSpec {
      .choice(
        kMusicDeviceProperty_UsesInternalReverb, of: [0, 1], default: 1,
        in: [kAudioUnitScope_Global])
    }
  }

  private(set) var output: InstrumentOutput

  init(output: consuming InstrumentOutput) { self.output = output }

  mutating func reset() { output.reset() }

  @_noLocks
  mutating func render(_ outputs: BusSlices, _ values: Values) {
    var controls = InstrumentRenderer.Controls()
    controls.cents = values[.tuning]
    controls.gain = Self.gain(values[.volume])
    controls.reverbGain =
      values[Setting.reverberation] == 0 ? 0 : Self.gain(values[.reverbVolume])
    output.render(outputs, controls)
  }

  /// The gain of a level; the lowest level is silence.
  @_noLocks
  private static func gain(_ decibels: Float) -> Float {
    decibels <= -120 ? 0 : Decibels.gain(ofLevel: decibels)
  }
}
