// SPDX-License-Identifier: Apache-2.0
// An LV2 instrument: while a note is on, its output is velocity * level + CV. It counts notes in a worker, and
// saves the number.
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/state/state.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const void *ports[7];
  LV2_URID midi, count_key, int_type;
  const LV2_Worker_Schedule *schedule;
  float value;
  int32_t count, longest;
} Synth;

static LV2_Handle make(const LV2_Descriptor *d, double rate, const char *path, const LV2_Feature *const *features) {
  (void)d, (void)rate;
  if (path[strlen(path) - 1] != '/') return NULL;
  Synth *synth = calloc(1, sizeof *synth);
  const LV2_URID_Map *map = NULL;
  const LV2_Options_Option *options = NULL;
  for (; *features; features++) {
    if (strcmp((*features)->URI, LV2_URID__map) == 0) map = (*features)->data;
    if (strcmp((*features)->URI, LV2_WORKER__schedule) == 0) synth->schedule = (*features)->data;
    if (strcmp((*features)->URI, LV2_OPTIONS__options) == 0) options = (*features)->data;
  }
  if (!map || !options || !synth->schedule) return free(synth), NULL;
  LV2_URID longest = map->map(map->handle, LV2_BUF_SIZE__maxBlockLength);
  for (; options->key; options++) {
    if (options->key == longest) synth->longest = *(const int32_t *)options->value;
  }
  synth->midi = map->map(map->handle, LV2_MIDI__MidiEvent);
  synth->count_key = map->map(map->handle, "urn:test:count");
  synth->int_type = map->map(map->handle, LV2_ATOM__Int);
  return synth;
}

static void connect(LV2_Handle handle, uint32_t port, void *data) { ((Synth *)handle)->ports[port] = data; }

static void activate(LV2_Handle handle) {
  Synth *synth = handle;
  synth->value = 0;
  // Crashes if a control is not connected yet.
  (void)*(volatile const float *)synth->ports[2];
}

static void run(LV2_Handle handle, uint32_t frames) {
  Synth *synth = handle;
  float *out = (float *)synth->ports[1];
  const float *level = synth->ports[2], *cv = synth->ports[4];
  uint32_t frame = 0;
  const LV2_Atom_Sequence *events = synth->ports[0];
  LV2_ATOM_SEQUENCE_FOREACH(events, event) {
    if (event->body.type != synth->midi) continue;
    for (; frame < event->time.frames && frame < frames; frame++) out[frame] = synth->value * *level + cv[frame];
    const uint8_t *bytes = (const uint8_t *)(event + 1);
    int is_on = (bytes[0] & 0xf0) == 0x90 && bytes[2] > 0;
    synth->value = is_on ? bytes[2] / 127.0f : 0;
    if (is_on) synth->schedule->schedule_work(synth->schedule->handle, 1, "+");
  }
  for (; frame < frames; frame++) out[frame] = synth->value * *level + cv[frame];
  *(float *)synth->ports[5] = synth->count;
  *(float *)synth->ports[6] = (int32_t)frames > synth->longest ? 99 : 0;
}

static LV2_Worker_Status work(
    LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to, uint32_t size,
    const void *data) {
  (void)handle;
  return respond(to, size, data);
}

static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void *data) {
  if (size == 1 && *(const char *)data == '+') ((Synth *)handle)->count++;
  return LV2_WORKER_SUCCESS;
}

static LV2_State_Status save(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
    const LV2_Feature *const *features) {
  (void)flags, (void)features;
  Synth *synth = handle;
  return store(to, synth->count_key, &synth->count, sizeof synth->count, synth->int_type,
               LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
}

static LV2_State_Status restore(
    LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
    const LV2_Feature *const *features) {
  (void)flags, (void)features;
  Synth *synth = handle;
  size_t size;
  uint32_t type, value_flags;
  const int32_t *count = retrieve(from, synth->count_key, &size, &type, &value_flags);
  if (count && size == sizeof *count) synth->count = *count;
  return LV2_STATE_SUCCESS;
}

static const void *extension_data(const char *uri) {
  static const LV2_Worker_Interface worker = {work, work_response, NULL};
  static const LV2_State_Interface state = {save, restore};
  if (strcmp(uri, LV2_WORKER__interface) == 0) return &worker;
  return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

// A clock: shows the last position, and the number of positions.

typedef struct {
  const void *ports[6];
  LV2_URID object, position, tempo, bar, beat;
  float values[4];
} Clock;

static LV2_Handle make_clock(
    const LV2_Descriptor *d, double rate, const char *path, const LV2_Feature *const *features) {
  (void)d, (void)rate, (void)path;
  Clock *clock = calloc(1, sizeof *clock);
  for (; *features; features++) {
    if (strcmp((*features)->URI, LV2_URID__map) != 0) continue;
    const LV2_URID_Map *map = (*features)->data;
    clock->object = map->map(map->handle, LV2_ATOM__Object);
    clock->position = map->map(map->handle, LV2_TIME__Position);
    clock->tempo = map->map(map->handle, LV2_TIME__beatsPerMinute);
    clock->bar = map->map(map->handle, LV2_TIME__bar);
    clock->beat = map->map(map->handle, LV2_TIME__barBeat);
  }
  return clock;
}

static void connect_clock(LV2_Handle handle, uint32_t port, void *data) { ((Clock *)handle)->ports[port] = data; }

static void run_clock(LV2_Handle handle, uint32_t frames) {
  Clock *clock = handle;
  const LV2_Atom_Sequence *events = clock->ports[0];
  LV2_ATOM_SEQUENCE_FOREACH(events, event) {
    const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
    if (object->atom.type != clock->object || object->body.otype != clock->position) continue;
    const LV2_Atom *tempo = NULL, *bar = NULL, *beat = NULL;
    lv2_atom_object_get(object, clock->tempo, &tempo, clock->bar, &bar, clock->beat, &beat, 0);
    if (tempo) clock->values[0] = ((const LV2_Atom_Float *)tempo)->body;
    if (bar) clock->values[1] = ((const LV2_Atom_Long *)bar)->body;
    if (beat) clock->values[2] = ((const LV2_Atom_Float *)beat)->body;
    clock->values[3]++;
  }
  memset((void *)clock->ports[1], 0, frames * sizeof(float));
  for (int i = 0; i < 4; i++) *(float *)clock->ports[2 + i] = clock->values[i];
}

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  static const LV2_Descriptor descriptor = {"urn:test:synth", make, connect, activate, run, NULL, free, extension_data};
  static const LV2_Descriptor clock = {"urn:test:clock", make_clock, connect_clock, NULL, run_clock, NULL, free, NULL};
  return index == 0 ? &descriptor : index == 1 ? &clock : NULL;
}
