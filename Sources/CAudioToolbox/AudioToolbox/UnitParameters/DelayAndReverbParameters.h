// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_DELAY_AND_REVERB_PARAMETERS_H
#define CAUDIOTOOLBOX_DELAY_AND_REVERB_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of delays and reverberations.

CF_ASSUME_NONNULL_BEGIN

/// Parameters of `kAudioUnitSubType_Delay`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// The equal-power mix of the input (0) and the echoes (100), default 50.
  kDelayParam_WetDryMix = 0,
  /// Time of the first echo: seconds, 0 to 2, default 1.
  kDelayParam_DelayTime = 1,
  /// Level of an echo relative to the previous one: percent, -100 to 100, default 50.
  kDelayParam_Feedback = 2,
  /// The cutoff of the echoes' low-pass filter: Hz, 10 to half the sample rate, default 15,000.
  kDelayParam_LopassCutoff = 3
};

/// Parameters of `kAudioUnitSubType_SampleDelay`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// The delay: frames, 0 to one second, default 0.
  kSampleDelayParam_DelayFrames = 0
};

/// Parameters of `kAudioUnitSubType_Reverb2`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// The equal-power mix of the input (0) and the reverberation (100), default 100.
  kReverb2Param_DryWetMix = 0,
  /// Gain of the reverberation: dB, -20 to 20, default 0.
  kReverb2Param_Gain = 1,
  /// The shortest delay of the network: seconds, 0.0001 to 1, default 0.008.
  kReverb2Param_MinDelayTime = 2,
  /// The longest delay of the network: seconds, 0.0001 to 1, default 0.05.
  kReverb2Param_MaxDelayTime = 3,
  /// The decay time (60 dB) at low frequencies: seconds, 0.001 to 20, default 1.
  kReverb2Param_DecayTimeAt0Hz = 4,
  /// The decay time (60 dB) at half the sample rate: seconds, 0.001 to 20, default 0.5.
  kReverb2Param_DecayTimeAtNyquist = 5,
  /// The set of delays, 1 to 1000, default 1.
  kReverb2Param_RandomizeReflections = 6
};

/// Parameters of `kAudioUnitSubType_MatrixReverb`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// The equal-power mix of the input (0) and the rooms (100), default 100.
  kReverbParam_DryWetMix = 0,
  /// The equal-power mix of the small room (0) and the large room (100), default 50.
  kReverbParam_SmallLargeMix = 1,
  /// Seconds, 0.005 to 0.02, default 0.006.
  kReverbParam_SmallSize = 2,
  /// The decay time (60 dB) at low frequencies: seconds, 0.4 to 10, default 3.07.
  kReverbParam_LargeSize = 3,
  /// The delay before both rooms: seconds, 0.001 to 0.03, default 0.025.
  kReverbParam_PreDelay = 4,
  /// The delay from the small room to the large one: seconds, 0.001 to 0.1, default 0.035.
  kReverbParam_LargeDelay = 5,
  /// 0 to 1, default 0.28.
  kReverbParam_SmallDensity = 6,
  /// 0 to 1, default 0.82.
  kReverbParam_LargeDensity = 7,
  /// The spread of the large room's delays: 0 to 1, default 0.3.
  kReverbParam_LargeDelayRange = 8,
  /// The decay time of high frequencies in the small room, relative to low ones: 0.1 to 1, default
  /// 0.96.
  kReverbParam_SmallBrightness = 9,
  /// The same ratio for the large room: 0.1 to 1, default 0.49.
  kReverbParam_LargeBrightness = 10,
  /// The spread of the small room's delays: 0 to 1, default 0.5.
  kReverbParam_SmallDelayRange = 11,
  /// The modulation rate of the resonances: Hz, 0.001 to 2, default 1.
  kReverbParam_ModulationRate = 12,
  /// The modulation depth of the resonances: 0 to 1, default 0.2.
  kReverbParam_ModulationDepth = 13,
  /// The center of the equalizer of both rooms: Hz, 10 to 20,000, default 800.
  kReverbParam_FilterFrequency = 14,
  /// The bandwidth of the equalizer: octaves, 0.05 to 4, default 3.
  kReverbParam_FilterBandwidth = 15,
  /// The gain of the equalizer: dB, -18 to 18, default 0.
  kReverbParam_FilterGain = 16,
  /// Spatial mixer only, global scope, as 14 to 16 for what the inputs send to its room: the kind of
  /// filter (kAUNBandEQFilterType_Parametric and so on), default parametric.
  kReverbParam_FilterType = 17,
  /// Spatial mixer only, global scope: whether the filter is used, Boolean, default 1.
  kReverbParam_FilterEnable = 18
};

CF_ASSUME_NONNULL_END

#endif
