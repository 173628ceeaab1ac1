// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_INSTRUMENT_PARAMETERS_H
#define CAUDIOTOOLBOX_INSTRUMENT_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of instruments.

CF_ASSUME_NONNULL_BEGIN

/// Parameters of kAudioUnitSubType_DLSSynth: global scope, element 0.
CF_ENUM(AudioUnitParameterID) {
  /// Cents, -1200 to 1200, default 0.
  kMusicDeviceParam_Tuning = 0,
  /// Decibels, -120 to 40, default 0.
  kMusicDeviceParam_Volume = 1,
  /// Decibels, -120 to 40, default 0: the level of the reverberation.
  kMusicDeviceParam_ReverbVolume = 2
};

/// Parameters of kAudioUnitSubType_Sampler: global scope, element 0.
CF_ENUM(AudioUnitParameterID) {
  /// Decibels, -90 to 12, default 0.
  kAUSamplerParam_Gain = 900,
  /// Semitones, -24 to 24, default 0.
  kAUSamplerParam_CoarseTuning = 901,
  /// Cents, -99 to 99, default 0.
  kAUSamplerParam_FineTuning = 902,
  /// -1 (left) to 1, default 0.
  kAUSamplerParam_Pan = 903
};

CF_ASSUME_NONNULL_END

#endif
