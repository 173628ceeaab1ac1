// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_AUDIO_UNIT_UTILITIES_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_AUDIO_UNIT_UTILITIES_H

#include "../AudioToolbox/AudioUnitUtilities.h"

#endif
