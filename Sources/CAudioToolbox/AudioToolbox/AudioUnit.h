// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_TOOLBOX_AUDIO_UNIT_H
#define CAUDIOTOOLBOX_AUDIO_TOOLBOX_AUDIO_UNIT_H

// All headers about audio units. Newer programs find them here, older ones as <AudioUnit/AudioUnit.h>.

#include "AUComponent.h"
#include "AudioComponent.h"
#include "AudioOutputUnit.h"
#include "AudioUnitParameters.h"
#include "AudioUnitProperties.h"
#include "AudioUnitUtilities.h"
#include "MusicDevice.h"

#endif
