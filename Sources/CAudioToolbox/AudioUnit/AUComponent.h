// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_AU_COMPONENT_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_AU_COMPONENT_H

#include "../AudioToolbox/AUComponent.h"

#endif
