// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The reverberation of a room.
open class AVAudioUnitReverb: AVAudioUnitEffect, @unchecked Sendable {
  /// A reverberation with the preset `mediumHall`.
  public init() {
    super.init(NodeUnit(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2))
    loadFactoryPreset(.mediumHall)
  }

  /// Sets all parameters as a preset has them, also the mix.
  open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) {
    own.load(factoryPreset: preset.rawValue)
  }

  /// How much of the output is reverberation, in percent; at first as the preset has it.
  open var wetDryMix: Float {
    get { own.parameter(kReverb2Param_DryWetMix) }
    set { own.set(parameter: kReverb2Param_DryWetMix, to: newValue) }
  }
}
