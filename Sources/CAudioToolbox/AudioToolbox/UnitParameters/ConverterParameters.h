// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CONVERTER_PARAMETERS_H
#define CAUDIOTOOLBOX_CONVERTER_PARAMETERS_H

#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

/// Parameters of `kAudioUnitSubType_Varispeed`; global scope. Both say the same: setting either sets both.
CF_ENUM(AudioUnitParameterID) {
  /// How many input frames an output frame takes: 0.25 to 4, default 1. Can ramp.
  kVarispeedParam_PlaybackRate = 0,
  /// How much higher that sounds: cents, -2400 to 2400, default 0. Can ramp.
  kVarispeedParam_PlaybackCents = 1
};

CF_ASSUME_NONNULL_END

#endif
