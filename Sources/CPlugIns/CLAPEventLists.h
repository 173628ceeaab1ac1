// SPDX-License-Identifier: Apache-2.0
// The events of one block of a CLAP plug-in: those that it gets, and what it sends.
#pragma once
#include "CLAPInstance.h"

typedef struct EventParameter {
  uint32_t id;
  void *cookie;
} EventParameter;

/// An event for the plug-in. The bytes are those of a system exclusive message.
typedef struct EventSlot {
  union {
    CLAPEventHeader header;
    CLAPNoteEvent note;
    CLAPParamEvent value;
    CLAPMIDIEvent midi;
    CLAPSysExEvent exclusive;
  } event;
  uint8_t bytes[32];
} EventSlot;

typedef struct EventLists {
  EventParameter *parameters;
  uint32_t parameter_count;
  /// How the plug-in takes notes.
  bool takes_notes, takes_midi;
  EventSlot *slots;
  uint32_t slot_count, capacity;
  CLAPSent *sent;
  uint32_t sent_count;
} EventLists;

/// Empty lists for a number of parameters and a port for notes. False: no memory.
bool event_lists_init(EventLists *lists, uint32_t parameter_count, const CLAPNotePortInfo *notes);
void event_lists_free(EventLists *lists);

bool event_lists_add_value(EventLists *lists, uint32_t frame, uint32_t index, double value);
bool event_lists_add_midi(EventLists *lists, uint32_t frame, const uint8_t *bytes, uint32_t count);

/// Forgets what the plug-in has sent.
void event_lists_begin(EventLists *lists);
/// Forgets what it has got.
void event_lists_end(EventLists *lists);

CLAPInputEvents event_lists_in(EventLists *lists);
CLAPOutputEvents event_lists_out(EventLists *lists);
