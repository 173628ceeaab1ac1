// SPDX-License-Identifier: Apache-2.0

// Compares our header of LV2 with those in Debian's package lv2-dev. When it runs, it compares the
// identifiers, which a compiler cannot.

#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <stddef.h>
#include <string.h>

#include "LV2.h"
#include "check.h"

#define SAME(ours, theirs) CHECK(sizeof(ours) == sizeof(theirs))
#define MEMBER(ours, our_member, theirs, their_member) \
  CHECK(offsetof(ours, our_member) == offsetof(theirs, their_member))

SAME(LV2Feature, LV2_Feature);
MEMBER(LV2Feature, uri, LV2_Feature, URI);
MEMBER(LV2Feature, data, LV2_Feature, data);

SAME(LV2Descriptor, LV2_Descriptor);
MEMBER(LV2Descriptor, uri, LV2_Descriptor, URI);
MEMBER(LV2Descriptor, instantiate, LV2_Descriptor, instantiate);
MEMBER(LV2Descriptor, connect_port, LV2_Descriptor, connect_port);
MEMBER(LV2Descriptor, activate, LV2_Descriptor, activate);
MEMBER(LV2Descriptor, run, LV2_Descriptor, run);
MEMBER(LV2Descriptor, deactivate, LV2_Descriptor, deactivate);
MEMBER(LV2Descriptor, cleanup, LV2_Descriptor, cleanup);
MEMBER(LV2Descriptor, extension_data, LV2_Descriptor, extension_data);

SAME(LV2Map, LV2_URID_Map);
MEMBER(LV2Map, handle, LV2_URID_Map, handle);
MEMBER(LV2Map, map, LV2_URID_Map, map);

SAME(LV2Option, LV2_Options_Option);
MEMBER(LV2Option, context, LV2_Options_Option, context);
MEMBER(LV2Option, subject, LV2_Options_Option, subject);
MEMBER(LV2Option, key, LV2_Options_Option, key);
MEMBER(LV2Option, size, LV2_Options_Option, size);
MEMBER(LV2Option, type, LV2_Options_Option, type);
MEMBER(LV2Option, value, LV2_Options_Option, value);

SAME(LV2Atom, LV2_Atom);
MEMBER(LV2Atom, size, LV2_Atom, size);
MEMBER(LV2Atom, type, LV2_Atom, type);

SAME(LV2Event, LV2_Atom_Event);
MEMBER(LV2Event, frame, LV2_Atom_Event, time);
MEMBER(LV2Event, body, LV2_Atom_Event, body);

SAME(LV2StateInterface, LV2_State_Interface);
MEMBER(LV2StateInterface, save, LV2_State_Interface, save);
MEMBER(LV2StateInterface, restore, LV2_State_Interface, restore);

SAME(LV2Sequence, LV2_Atom_Sequence);
CHECK(offsetof(LV2Sequence, unit) == offsetof(LV2_Atom_Sequence, body.unit));

CHECK_VALUE(LV2StateNoSpace, LV2_STATE_ERR_NO_SPACE);
CHECK_VALUE(LV2StateNoProperty, LV2_STATE_ERR_NO_PROPERTY);
CHECK_VALUE(LV2StateBadType, LV2_STATE_ERR_BAD_TYPE);
CHECK_VALUE(LV2StateIsPOD, LV2_STATE_IS_POD);
CHECK_VALUE(LV2StateIsPortable, LV2_STATE_IS_PORTABLE);

int main(void) {
  return strcmp(LV2_BUFFER_SIZE_MAX, LV2_BUF_SIZE__maxBlockLength)
      || strcmp(LV2_OPTIONS, LV2_OPTIONS__options) || strcmp(LV2_URID_MAP, LV2_URID__map)
      || strcmp(LV2_STATE_INTERFACE, LV2_STATE__interface) || strcmp(LV2_ATOM_CHUNK, LV2_ATOM__Chunk)
      || strcmp(LV2_ATOM_INT, LV2_ATOM__Int) || strcmp(LV2_ATOM_SEQUENCE, LV2_ATOM__Sequence)
      || strcmp(LV2_MIDI_EVENT, LV2_MIDI__MidiEvent);
}
