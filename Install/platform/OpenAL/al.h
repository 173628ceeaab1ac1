// SPDX-License-Identifier: Apache-2.0

#ifndef OPENAL_AL_FORWARD_H
#define OPENAL_AL_FORWARD_H

// The header of the machine's OpenAL, under the name that it has on Apple's systems.
#if __has_include(<AL/al.h>)
#include <AL/al.h>
#else
#error "<OpenAL/al.h> belongs to OpenAL, which is not installed (Debian: libopenal-dev)"
#endif

#endif
