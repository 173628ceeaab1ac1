// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_OUTPUT_UNIT_PARAMETERS_H
#define CAUDIOTOOLBOX_OUTPUT_UNIT_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of output units.

CF_ASSUME_NONNULL_BEGIN

/// Parameters of the output units that play through a device.
CF_ENUM(AudioUnitParameterID) {
  /// Volume of the output: linear gain, 0 to 1, default 1; global scope.
  kHALOutputParam_Volume = 14
};

CF_ASSUME_NONNULL_END

#endif
