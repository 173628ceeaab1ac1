// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_TOOLBOX_H
#define CAUDIOTOOLBOX_AUDIO_TOOLBOX_H

// Programs expect these from the umbrella. Swift has them from Foundation.
#ifndef __swift__
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#endif

#include "../CoreAudio/CoreAudio.h"
#include "AUComponent.h"
#include "AUDiagnostics.h"
#include "AUToneGenerator.h"
#include "AudioComponent.h"
#include "AudioOutputUnit.h"
#include "AudioUnitParameters.h"
#include "AudioUnitProperties.h"
#include "AudioUnitUtilities.h"

#endif
