// SPDX-License-Identifier: Apache-2.0

#ifndef AVFOUNDATION_H
#define AVFOUNDATION_H

// The part of this umbrella header that C and Objective-C programs use. Swift has a module AVFoundation.

#include <AudioToolbox/AudioToolbox.h>

#include "AVAudioSession.h"

#endif
