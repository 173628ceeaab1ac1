// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CORE_MIDI_H
#define CAUDIOTOOLBOX_CORE_MIDI_H

#include "MIDIMessages.h"
#include "MIDIServices.h"
#include "MIDISetup.h"
#include "MIDIThruConnection.h"

#endif
