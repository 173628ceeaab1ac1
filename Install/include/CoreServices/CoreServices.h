// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CORE_SERVICES_H
#define CAUDIOTOOLBOX_CORE_SERVICES_H

// What audio programs want of the umbrella of this name: base types, noErr and CoreFoundation.
#include "../CoreAudioTypes/CoreAudioBaseTypes.h"

#endif
