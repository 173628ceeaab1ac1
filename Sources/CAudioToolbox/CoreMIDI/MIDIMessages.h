// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI_MESSAGES_H
#define CAUDIOTOOLBOX_MIDI_MESSAGES_H

#include "Messages/MIDI1Messages.h"
#include "Messages/MIDI2Messages.h"
#include "Messages/MIDIMessageTypes.h"

#endif
