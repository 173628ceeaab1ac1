// SPDX-License-Identifier: Apache-2.0
// The libraries that reach sound devices, opened at run time. There is one header and one C file
// for each. The declarations need no header of the library, so Swift sees the same on every
// machine.
#pragma once
#include "ALSA.h"
#include "ALSASequencer.h"
#include "JACK.h"
#include "PipeWire.h"
#include "Pulse.h"
