// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A distortion of several stages, which factory presets set.
open class AVAudioUnitDistortion: AVAudioUnitEffect, @unchecked Sendable {
  /// A distortion with the preset `drumsBitBrush`, and the gain and the mix stated below.
  public init() {
    super.init(NodeUnit(kAudioUnitType_Effect, kAudioUnitSubType_Distortion))
    loadFactoryPreset(.drumsBitBrush)
    (preGain, wetDryMix) = (-6, 50)
  }

  /// Sets all parameters as a preset has them, also the gain and the mix.
  open func loadFactoryPreset(_ preset: AVAudioUnitDistortionPreset) {
    own.load(factoryPreset: preset.rawValue)
  }

  /// The gain before the soft clipping in decibels, from -80 to 20; -6 at first.
  open var preGain: Float {
    get { own.parameter(kDistortionParam_SoftClipGain) }
    set { own.set(parameter: kDistortionParam_SoftClipGain, to: newValue) }
  }

  /// How much of the output is distorted, in percent; 50 at first.
  open var wetDryMix: Float {
    get { own.parameter(kDistortionParam_FinalMix) }
    set { own.set(parameter: kDistortionParam_FinalMix, to: newValue) }
  }
}
