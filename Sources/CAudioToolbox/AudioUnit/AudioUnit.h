// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_H

#include "AUComponent.h"
#include "AudioComponent.h"
#include "AudioOutputUnit.h"
#include "AudioUnitParameters.h"
#include "AudioUnitProperties.h"
#include "AudioUnitUtilities.h"
#include "MusicDevice.h"

#endif
