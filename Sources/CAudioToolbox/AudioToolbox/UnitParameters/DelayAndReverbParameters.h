// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_DELAY_AND_REVERB_PARAMETERS_H
#define CAUDIOTOOLBOX_DELAY_AND_REVERB_PARAMETERS_H

#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

/// Parameters of `kAudioUnitSubType_Delay`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// From the input to the echoes at equal power, 0 to 100, default 50.
  kDelayParam_WetDryMix = 0,
  /// Time of the first echo: seconds, 0 to 2, default 1.
  kDelayParam_DelayTime = 1,
  /// Level of an echo relative to the previous one: percent, -100 to 100, default 50.
  kDelayParam_Feedback = 2,
  /// Where each echo loses its highs: Hz, 10 to half the sample rate, default 15,000.
  kDelayParam_LopassCutoff = 3
};

/// Parameters of `kAudioUnitSubType_SampleDelay`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// The delay: frames, 0 to those of a second, default 0.
  kSampleDelayParam_DelayFrames = 0
};

/// Parameters of `kAudioUnitSubType_Reverb2`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// From the input to the room at equal power, 0 to 100, default 100.
  kReverb2Param_DryWetMix = 0,
  /// Gain of the room: dB, -20 to 20, default 0.
  kReverb2Param_Gain = 1,
  /// Length of the shortest of its delays: seconds, 0.0001 to 1, default 0.008.
  kReverb2Param_MinDelayTime = 2,
  /// Length of the longest of its delays: seconds, 0.0001 to 1, default 0.05.
  kReverb2Param_MaxDelayTime = 3,
  /// Time in which low sound falls by 60 dB: seconds, 0.001 to 20, default 1.
  kReverb2Param_DecayTimeAt0Hz = 4,
  /// The same at half the sample rate: seconds, 0.001 to 20, default 0.5.
  kReverb2Param_DecayTimeAtNyquist = 5,
  /// Which of a thousand sets of delays, 1 to 1000, default 1.
  kReverb2Param_RandomizeReflections = 6
};

/// Parameters of `kAudioUnitSubType_MatrixReverb`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// From the input to the rooms at equal power, 0 to 100, default 100.
  kReverbParam_DryWetMix = 0,
  /// From the small room to the large one at equal power, 0 to 100, default 50.
  kReverbParam_SmallLargeMix = 1,
  /// Seconds, 0.005 to 0.02, default 0.006.
  kReverbParam_SmallSize = 2,
  /// Time in which low sound falls by 60 dB: seconds, 0.4 to 10, default 3.07.
  kReverbParam_LargeSize = 3,
  /// Before both rooms: seconds, 0.001 to 0.03, default 0.025.
  kReverbParam_PreDelay = 4,
  /// From the small room to the large one: seconds, 0.001 to 0.1, default 0.035.
  kReverbParam_LargeDelay = 5,
  /// 0 to 1, default 0.28.
  kReverbParam_SmallDensity = 6,
  /// 0 to 1, default 0.82.
  kReverbParam_LargeDensity = 7,
  /// How different the delays of the large room are: 0 to 1, default 0.3.
  kReverbParam_LargeDelayRange = 8,
  /// How long high sound lasts, as a part of low sound: 0.1 to 1, default 0.96.
  kReverbParam_SmallBrightness = 9,
  /// The same of the large room: 0.1 to 1, default 0.49.
  kReverbParam_LargeBrightness = 10,
  /// How different the delays of the small room are: 0 to 1, default 0.5.
  kReverbParam_SmallDelayRange = 11,
  /// How fast the resonances move: Hz, 0.001 to 2, default 1.
  kReverbParam_ModulationRate = 12,
  /// How far they move: 0 to 1, default 0.2.
  kReverbParam_ModulationDepth = 13,
  /// Centre of the equaliser of both rooms: Hz, 10 to 20,000, default 800.
  kReverbParam_FilterFrequency = 14,
  /// Its width: octaves, 0.05 to 4, default 3.
  kReverbParam_FilterBandwidth = 15,
  /// Its gain: dB, -18 to 18, default 0.
  kReverbParam_FilterGain = 16
};

CF_ASSUME_NONNULL_END

#endif
