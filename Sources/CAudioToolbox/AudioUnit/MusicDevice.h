// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_MUSIC_DEVICE_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_MUSIC_DEVICE_H

#include "../AudioToolbox/MusicDevice.h"

#endif
