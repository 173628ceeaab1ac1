// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_CORE_FILES_H
#define CARBON_CORE_FILES_H

// The part of the File Manager that audio programs use: permissions, such as fsRdPerm, which
// AudioToolbox declares too.

#include <AudioToolbox/AudioFileTypes.h>

#endif
