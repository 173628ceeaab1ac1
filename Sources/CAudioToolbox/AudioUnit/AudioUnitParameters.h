// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_AUDIO_UNIT_PARAMETERS_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_AUDIO_UNIT_PARAMETERS_H

#include "../AudioToolbox/AudioUnitParameters.h"

#endif
