// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_AUDIO_UNIT_PROPERTIES_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_AUDIO_UNIT_PROPERTIES_H

#include "../AudioToolbox/AudioUnitProperties.h"

#endif
