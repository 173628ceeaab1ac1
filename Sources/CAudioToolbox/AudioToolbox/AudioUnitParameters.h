// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_PARAMETERS_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_PARAMETERS_H

#include "AUComponent.h"

// The parameters of a unit are declared here with the unit that has them.

/// Parameters of the output units that play through a device.
CF_ENUM(AudioUnitParameterID) {
  /// Volume of the output: linear gain, 0 to 1, default 1; global scope.
  kHALOutputParam_Volume = 14
};

#endif
