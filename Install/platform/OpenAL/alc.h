// SPDX-License-Identifier: Apache-2.0

#ifndef OPENAL_ALC_FORWARD_H
#define OPENAL_ALC_FORWARD_H

// The header of the machine's OpenAL, under the name that it has on Apple's systems.
#if __has_include(<AL/alc.h>)
#include <AL/alc.h>
#else
#error "<OpenAL/alc.h> belongs to OpenAL, which is not installed (Debian: libopenal-dev)"
#endif

#endif
