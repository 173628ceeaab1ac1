// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CORE_AUDIO_H
#define CAUDIOTOOLBOX_CORE_AUDIO_H

#include "AudioHardware.h"
#include "CoreAudioTypes.h"
#include "HostTime.h"

#endif
