// SPDX-License-Identifier: Apache-2.0
#include "CLAPEventLists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// More events than a host adds to a block, in addition to the values of all parameters.
enum { most_messages = 1024 };

bool event_lists_init(EventLists *lists, uint32_t parameter_count, const CLAPNotePortInfo *notes) {
  const uint32_t dialects = notes->supported_dialects;
  const bool has_midi = dialects & (CLAPNoteDialectMIDI | CLAPNoteDialectMPE);
  lists->takes_notes = (dialects & CLAPNoteDialectCLAP) && (notes->preferred_dialect == CLAPNoteDialectCLAP || !has_midi);
  lists->takes_midi = has_midi;
  lists->parameter_count = parameter_count;
  lists->capacity = parameter_count + most_messages;
  lists->parameters = calloc(parameter_count + 1u, sizeof *lists->parameters);
  lists->slots = calloc(lists->capacity, sizeof *lists->slots);
  lists->sent = calloc(lists->capacity, sizeof *lists->sent);
  return lists->parameters && lists->slots && lists->sent;
}

void event_lists_free(EventLists *lists) {
  free(lists->parameters);
  free(lists->slots);
  free(lists->sent);
}

void event_lists_begin(EventLists *lists) { lists->sent_count = 0; }
void event_lists_end(EventLists *lists) { lists->slot_count = 0; }

// What the plug-in gets

static EventSlot *add(EventLists *lists, uint32_t frame, uint16_t type, uint32_t size) {
  if (lists->slot_count == lists->capacity) return NULL;
  EventSlot *slot = &lists->slots[lists->slot_count++];
  slot->event.header = (CLAPEventHeader){.size = size, .time = frame, .type = type};
  return slot;
}

bool event_lists_add_value(EventLists *lists, uint32_t frame, uint32_t index, double value) {
  EventSlot *slot =
      index < lists->parameter_count ? add(lists, frame, CLAPEventParamValue, sizeof(CLAPParamEvent)) : NULL;
  if (!slot) return false;
  slot->event.value = (CLAPParamEvent){
      slot->event.header, lists->parameters[index].id, lists->parameters[index].cookie, -1, -1, -1, -1, value};
  return true;
}

static bool add_note(EventLists *lists, uint32_t frame, const uint8_t *bytes) {
  const bool starts = (bytes[0] & 0xf0) == 0x90 && bytes[2] > 0;
  EventSlot *slot = add(lists, frame, starts ? CLAPEventNoteOn : CLAPEventNoteOff, sizeof(CLAPNoteEvent));
  if (!slot) return false;
  slot->event.note = (CLAPNoteEvent){slot->event.header, -1, 0, bytes[0] & 0x0f, bytes[1], bytes[2] / 127.0};
  return true;
}

bool event_lists_add_midi(EventLists *lists, uint32_t frame, const uint8_t *bytes, uint32_t count) {
  if (count == 0 || count > sizeof lists->slots->bytes) return false;
  const bool is_note = count == 3 && (bytes[0] & 0xe0) == 0x80;
  if (is_note && lists->takes_notes) return add_note(lists, frame, bytes);
  if (!lists->takes_midi) return false;
  if (bytes[0] != 0xf0 && count <= 3) {
    EventSlot *slot = add(lists, frame, CLAPEventMIDI, sizeof(CLAPMIDIEvent));
    if (!slot) return false;
    memset(slot->event.midi.data, 0, sizeof slot->event.midi.data);
    memcpy(slot->event.midi.data, bytes, count);
    slot->event.midi.port = 0;
    return true;
  }
  EventSlot *slot = add(lists, frame, CLAPEventSysEx, sizeof(CLAPSysExEvent));
  if (!slot) return false;
  memcpy(slot->bytes, bytes, count);
  slot->event.exclusive = (CLAPSysExEvent){slot->event.header, 0, slot->bytes, count};
  return true;
}

static uint32_t size(const CLAPInputEvents *list) { return ((EventLists *)list->context)->slot_count; }
static const CLAPEventHeader *get(const CLAPInputEvents *list, uint32_t index) {
  EventLists *lists = list->context;
  return index < lists->slot_count ? &lists->slots[index].event.header : NULL;
}
CLAPInputEvents event_lists_in(EventLists *lists) { return (CLAPInputEvents){lists, size, get}; }

// What it sends

static CLAPSent *send(EventLists *lists, const CLAPEventHeader *event) {
  if (lists->sent_count == lists->capacity) return NULL;
  CLAPSent *sent = &lists->sent[lists->sent_count++];
  sent->frame = event->time;
  sent->parameter = CLAP_INVALID_ID;
  sent->count = 0;
  return sent;
}

static bool send_value(EventLists *lists, const CLAPParamEvent *event) {
  uint32_t index = 0;
  while (index < lists->parameter_count && lists->parameters[index].id != event->param_id) index++;
  if (index == lists->parameter_count || !isfinite(event->value)) return true;
  CLAPSent *sent = send(lists, &event->header);
  if (!sent) return false;
  sent->parameter = index;
  sent->value = event->value;
  return true;
}

static bool send_bytes(EventLists *lists, const CLAPEventHeader *event, const uint8_t *bytes, uint32_t count) {
  // Longer messages are dropped.
  if (!bytes || count == 0 || count > sizeof lists->sent->bytes) return true;
  CLAPSent *sent = send(lists, event);
  if (!sent) return false;
  memcpy(sent->bytes, bytes, count);
  sent->count = count;
  return true;
}

static bool send_note(EventLists *lists, const CLAPNoteEvent *event) {
  if (event->key < 0 || event->key > 127 || event->channel > 15) return true;
  const bool starts = event->header.type == CLAPEventNoteOn;
  const double velocity = isfinite(event->velocity) ? fmin(fmax(event->velocity, 0), 1) * 127 : 0;
  const uint8_t channel = event->channel < 0 ? 0 : (uint8_t)event->channel;
  // A note on with velocity 0 is a note off.
  const uint8_t bytes[3] = {
      (uint8_t)((starts ? 0x90 : 0x80) | channel), (uint8_t)event->key,
      (uint8_t)fmax(round(velocity), starts ? 1 : 0)};
  return send_bytes(lists, &event->header, bytes, sizeof bytes);
}

static uint32_t length(uint8_t status) {
  switch (status & 0xf0) {
    case 0xc0:
    case 0xd0: return 2;
    case 0xf0: return status == 0xf2 ? 3 : status == 0xf1 || status == 0xf3 ? 2 : 1;
    default: return 3;
  }
}

static bool try_push(const CLAPOutputEvents *list, const CLAPEventHeader *event) {
  EventLists *lists = list->context;
  if (!event || event->space != 0) return true;
  const uint32_t size = event->size;
  switch (event->type) {
    case CLAPEventParamValue:
      return size < sizeof(CLAPParamEvent) || send_value(lists, (const CLAPParamEvent *)event);
    case CLAPEventNoteOn:
    case CLAPEventNoteOff:
    case CLAPEventNoteChoke:
      return size < sizeof(CLAPNoteEvent) || send_note(lists, (const CLAPNoteEvent *)event);
    case CLAPEventMIDI: {
      const uint8_t *data = ((const CLAPMIDIEvent *)event)->data;
      return size < sizeof(CLAPMIDIEvent) || data[0] < 0x80 || send_bytes(lists, event, data, length(data[0]));
    }
    case CLAPEventSysEx: {
      const CLAPSysExEvent *message = (const CLAPSysExEvent *)event;
      return size < sizeof *message || send_bytes(lists, event, message->bytes, message->count);
    }
    default: return true;
  }
}
CLAPOutputEvents event_lists_out(EventLists *lists) { return (CLAPOutputEvents){lists, try_push}; }
