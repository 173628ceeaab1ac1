// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_AUDIO_OUTPUT_UNIT_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_AUDIO_OUTPUT_UNIT_H

#include "../AudioToolbox/AudioOutputUnit.h"

#endif
