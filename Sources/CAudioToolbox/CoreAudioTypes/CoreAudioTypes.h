// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CORE_AUDIO_TYPES_H
#define CAUDIOTOOLBOX_CORE_AUDIO_TYPES_H

#include "CoreAudioBaseTypes.h"

#endif
