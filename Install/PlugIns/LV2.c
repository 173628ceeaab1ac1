// SPDX-License-Identifier: Apache-2.0
// Our units as LV2 plug-ins. Turtle.c writes what hosts read before they load this.
#include "LV2.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "LV2Ports.h"
#include "Unit.h"

typedef struct Instance {
  Unit *unit;
  Ports ports;
  double rate;
  UInt32 max_frames;
  uint32_t midi_type, chunk_type, class_info;
  const float *inputs[2];
  float *outputs[2];
  const LV2Sequence *midi;
  const float *enabled;
  float *latency;
  // The ports of the parameters, and what the unit has: a port is compared with it at each run.
  float **controls;
  float *values;
  size_t count;
} Instance;

// What an instance reads from the host's features: the URIs as numbers, and the most frames of a run.
static void read_features(Instance *instance, const LV2Feature *const *features) {
  const LV2Map *map = NULL;
  const LV2Option *options = NULL;
  for (; features && *features; features++) {
    if (!strcmp((*features)->uri, LV2_URID_MAP)) map = (*features)->data;
    if (!strcmp((*features)->uri, LV2_OPTIONS)) options = (*features)->data;
  }
  // A longer run is rendered in parts.
  instance->max_frames = 8192;
  if (!map) return;
  instance->midi_type = map->map(map->handle, LV2_MIDI_EVENT);
  instance->chunk_type = map->map(map->handle, LV2_ATOM_CHUNK);
  instance->class_info = map->map(map->handle, CLASS_INFO_URI);
  const uint32_t max_frames = map->map(map->handle, LV2_BUFFER_SIZE_MAX);
  const uint32_t integer = map->map(map->handle, LV2_ATOM_INT);
  for (; options && options->key; options++) {
    if (options->key != max_frames || options->type != integer || !options->value) continue;
    const int32_t frames = *(const int32_t *)options->value;
    if (frames > 0 && frames <= 65536) instance->max_frames = (UInt32)frames;
  }
}

static void cleanup(void *handle) {
  Instance *instance = handle;
  if (instance->unit) unit_free(instance->unit);
  free(instance->controls);
  free(instance->values);
  free(instance);
}

static void connect_port(void *handle, uint32_t port, void *data) {
  Instance *instance = handle;
  const Ports *ports = &instance->ports;
  if (port < ports->outputs) instance->inputs[port] = data;
  else if (port < ports->outputs + unit_variant(instance->unit)->outputs)
    instance->outputs[port - ports->outputs] = data;
  else if (port == ports->midi) instance->midi = data;
  else if (port == ports->enabled) instance->enabled = data;
  else if (port == ports->latency) instance->latency = data;
  else if (port - ports->parameters < instance->count) instance->controls[port - ports->parameters] = data;
}

static void activate(void *handle) {
  Instance *instance = handle;
  size_t count;
  const Parameter *parameters = unit_parameters(instance->unit, &count);
  // Some units prepare for the values that they start with. Hosts may connect the ports later.
  for (size_t i = 0; i < count; i++) {
    if (instance->controls[i] && !is_meter(&parameters[i]))
      unit_set_value(instance->unit, i, *instance->controls[i]);
    instance->values[i] = unit_value(instance->unit, i);
  }
  if (instance->enabled) unit_set_bypass(instance->unit, *instance->enabled <= 0);
  unit_activate(instance->unit, instance->rate, instance->max_frames);
}

static void deactivate(void *handle) { unit_deactivate(((Instance *)handle)->unit); }

static void schedule_controls(Instance *instance) {
  for (size_t i = 0; i < instance->count; i++) {
    if (!instance->controls[i] || *instance->controls[i] == instance->values[i]) continue;
    instance->values[i] = *instance->controls[i];
    unit_schedule(instance->unit, i, instance->values[i], 0);
  }
}

static void write_meters(Instance *instance) {
  size_t count;
  const Parameter *parameters = unit_parameters(instance->unit, &count);
  for (size_t i = 0; i < count; i++) {
    if (!is_meter(&parameters[i])) continue;
    instance->values[i] = unit_value(instance->unit, i);
    if (instance->controls[i]) *instance->controls[i] = instance->values[i];
  }
}

// Sends the events of a part of the run.
static void send_midi(Instance *instance, UInt32 first, UInt32 count) {
  const LV2Sequence *sequence = instance->midi;
  if (!sequence || !instance->midi_type || sequence->atom.size < sizeof(LV2Atom)) return;
  const char *next = (const char *)(sequence + 1), *end = (const char *)&sequence->unit + sequence->atom.size;
  while ((size_t)(end - next) >= sizeof(LV2Event) && next < end) {
    const LV2Event *event = (const LV2Event *)next;
    const size_t room = (size_t)(end - next) - sizeof *event;
    if (event->body.size > room) return;
    if (event->body.type == instance->midi_type && event->frame >= first && event->frame < (int64_t)first + count)
      unit_midi(instance->unit, (const UInt8 *)(event + 1), event->body.size, (UInt32)(event->frame - first));
    const size_t padded = ((size_t)event->body.size + 7) & ~(size_t)7;
    if (padded >= room) return;
    next += sizeof *event + padded;
  }
}

static void run(void *handle, uint32_t frames) {
  Instance *instance = handle;
  if (instance->latency) *instance->latency = (float)unit_latency(instance->unit);
  if (frames == 0) return;
  if (instance->enabled) unit_set_bypass(instance->unit, *instance->enabled <= 0);
  schedule_controls(instance);
  for (UInt32 first = 0; first < frames; first += instance->max_frames) {
    const UInt32 count = frames - first < instance->max_frames ? frames - first : instance->max_frames;
    send_midi(instance, first, count);
    unit_render(instance->unit, instance->inputs, instance->outputs, first, count);
  }
  write_meters(instance);
}

// State: what is not in ports.

static int save(
    void *handle, LV2StateStore store, void *store_handle, uint32_t flags, const LV2Feature *const *features) {
  (void)flags, (void)features;
  const Instance *instance = handle;
  if (!instance->class_info) return LV2StateNoFeature;
  CFDataRef data = unit_copy_state(instance->unit);
  if (!data) return LV2StateUnknownError;
  const int status = store(
      store_handle, instance->class_info, CFDataGetBytePtr(data), (size_t)CFDataGetLength(data),
      instance->chunk_type, LV2StateIsPOD | LV2StateIsPortable);
  CFRelease(data);
  return status;
}

static int restore(
    void *handle, LV2StateRetrieve retrieve, void *retrieve_handle, uint32_t flags,
    const LV2Feature *const *features) {
  (void)flags, (void)features;
  Instance *instance = handle;
  if (!instance->class_info) return LV2StateNoFeature;
  size_t size = 0;
  uint32_t type = 0, value_flags = 0;
  const void *bytes = retrieve(retrieve_handle, instance->class_info, &size, &type, &value_flags);
  if (!bytes) return LV2StateNoProperty;
  if (type != instance->chunk_type) return LV2StateBadType;
  if (!unit_set_state(instance->unit, bytes, size)) return LV2StateUnknownError;
  // The ports decide about the parameters, at the next run.
  for (size_t i = 0; i < instance->count; i++) instance->values[i] = NAN;
  return LV2StateSuccess;
}

static const void *extension_data(const char *uri) {
  static const LV2StateInterface state = {save, restore};
  return strcmp(uri, LV2_STATE_INTERFACE) ? NULL : &state;
}

// The plug-ins

static const Export *table;
static LV2Descriptor *descriptors;
static size_t descriptor_count;

// The place in the table of a descriptor is its unit and its choice of channels.
static void *instantiate(
    const LV2Descriptor *descriptor, double rate, const char *bundle_path, const LV2Feature *const *features) {
  (void)bundle_path;
  const size_t index = (size_t)(descriptor - descriptors);
  const Export *export = &table[index / variant_count];
  const Variant *variant = &variants(export)[index % variant_count];
  Instance *instance = calloc(1, sizeof *instance);
  if (!instance) return NULL;
  instance->unit = unit_new(export, variant);
  if (!instance->unit) return free(instance), NULL;
  instance->ports = ports_of(export, variant);
  instance->rate = rate;
  read_features(instance, features);
  unit_parameters(instance->unit, &instance->count);
  instance->controls = calloc(instance->count + 1, sizeof *instance->controls);
  instance->values = calloc(instance->count + 1, sizeof *instance->values);
  // It also checks the rate. Hosts may ask for the latency before they activate.
  if (!instance->controls || !instance->values
      || !unit_activate(instance->unit, rate, instance->max_frames)) {
    cleanup(instance);
    return NULL;
  }
  unit_deactivate(instance->unit);
  return instance;
}

static void fill_descriptors(void) {
  size_t count;
  table = exports(&count);
  descriptors = calloc(count * variant_count, sizeof *descriptors);
  if (!descriptors) return;
  descriptor_count = count * variant_count;
  for (size_t i = 0; i < descriptor_count; i++) {
    const Export *export = &table[i / variant_count];
    char uri[128];
    snprintf(
        uri, sizeof uri, URI_PREFIX "%s%s", export->codes,
        variants(export)[i % variant_count].outputs ? variants(export)[i % variant_count].suffix : ":none");
    descriptors[i] = (LV2Descriptor){
        strdup(uri), instantiate, connect_port, activate, run, deactivate, cleanup, extension_data};
  }
}

__attribute__((visibility("default"))) const LV2Descriptor *lv2_descriptor(uint32_t index) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_descriptors);
  return index < descriptor_count ? &descriptors[index] : NULL;
}
