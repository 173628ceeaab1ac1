// SPDX-License-Identifier: Apache-2.0

// A small host of our LV2 plug-ins, for what the usual hosts do not try.
//
//   lv2_host FILE.so check          calls each plug-in oddly, counts allocations of its runs, and saves and
//                                   restores its state
//   lv2_host FILE.so play OUT.raw   plays a note of the DLS instrument at 48000 Hz
//   lv2_host FILE.so preset STATE   whether a state changes the sound of the iPod equaliser

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "LV2.h"

enum { rate = 48000, most_frames = 4096, most_ports = 256, most_uris = 64 };

static const char *uri_of_test = "";
#define REQUIRE(condition)                                                     \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s: line %d: %s\n", uri_of_test, __LINE__, #condition); \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static uint32_t map_uri(void *handle, const char *uri) {
  static char uris[most_uris][128];
  (void)handle;
  uint32_t number = 0;
  while (number < most_uris && *uris[number] && strcmp(uris[number], uri)) number++;
  if (number == most_uris) return 0;
  snprintf(uris[number], sizeof uris[number], "%s", uri);
  return number + 1;
}
static LV2Map map = {NULL, map_uri};
static const LV2Feature map_feature = {LV2_URID_MAP, &map};

static float sounds[4][most_frames];

// Counts the allocations of this thread while it is watched.
static __thread int is_watched, allocations;
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
void *malloc(size_t size) {
  allocations += is_watched;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  allocations += is_watched;
  return __libc_calloc(count, size);
}
static void run_watched(const LV2Descriptor *descriptor, void *instance, uint32_t frames) {
  allocations = 0;
  is_watched = 1;
  descriptor->run(instance, frames);
  is_watched = 0;
  REQUIRE(allocations == 0);
}

static void *instantiate(const LV2Descriptor *descriptor, int32_t max_frames) {
  uri_of_test = descriptor->uri;
  LV2Option options[] = {
      {0, 0, map_uri(NULL, LV2_BUFFER_SIZE_MAX), sizeof max_frames, map_uri(NULL, LV2_ATOM_INT), &max_frames},
      {0, 0, 0, 0, 0, NULL}};
  const LV2Feature option_feature = {LV2_OPTIONS, options};
  const LV2Feature *const features[] = {&map_feature, &option_feature, NULL};
  return descriptor->instantiate(descriptor, rate, "/", features);
}

static const LV2Descriptor *find(const LV2Descriptor *(*get)(uint32_t), const char *uri) {
  for (uint32_t i = 0; get(i); i++)
    if (!strcmp(get(i)->uri, uri)) return get(i);
  return NULL;
}

// The DLS instrument has two outputs, then the port of MIDI.
static int play(const LV2Descriptor *(*get)(uint32_t), const char *path) {
  const LV2Descriptor *descriptor = find(get, "urn:swift-audiotoolbox:aumu:dls:appl");
  FILE *output = fopen(path, "wb");
  REQUIRE(descriptor && output);
  // The runs are longer than the announced maximum, so they are rendered in parts.
  void *instance = instantiate(descriptor, 1000);
  REQUIRE(instance);
  struct {
    LV2Sequence head;
    LV2Event event;
    uint8_t bytes[8];
  } midi;
  for (uint32_t i = 0; i < 2; i++) descriptor->connect_port(instance, i, sounds[i]);
  descriptor->connect_port(instance, 2, &midi);
  descriptor->activate(instance);
  for (int block = 0; block < 12; block++) {
    const int has_event = block == 0 || block == 5;
    midi.head.atom = (LV2Atom){has_event ? sizeof midi - sizeof(LV2Atom) : 8, map_uri(NULL, LV2_ATOM_SEQUENCE)};
    midi.head.unit = midi.head.padding = 0;
    midi.event.frame = block ? 10 : 100;
    midi.event.body = (LV2Atom){3, map_uri(NULL, LV2_MIDI_EVENT)};
    memcpy(midi.bytes, block ? "\x80\x3c\x00" : "\x90\x3c\x64", 3);
    descriptor->run(instance, most_frames);
    for (int i = 0; i < most_frames; i++)
      for (int channel = 0; channel < 2; channel++) fwrite(&sounds[channel][i], sizeof(float), 1, output);
  }
  descriptor->deactivate(instance);
  descriptor->cleanup(instance);
  return fclose(output);
}

typedef struct Kept {
  char bytes[1 << 20];
  size_t size;
  uint32_t type, flags;
} Kept;
static int store(void *handle, uint32_t key, const void *value, size_t size, uint32_t type, uint32_t flags) {
  Kept *kept = handle;
  if (key == 0 || size > sizeof kept->bytes) return LV2StateUnknownError;
  memcpy(kept->bytes, value, kept->size = size);
  kept->type = type, kept->flags = flags;
  return LV2StateSuccess;
}
static const void *retrieve(void *handle, uint32_t key, size_t *size, uint32_t *type, uint32_t *flags) {
  const Kept *kept = handle;
  (void)key;
  *size = kept->size, *type = kept->type, *flags = kept->flags;
  return kept->size ? kept->bytes : NULL;
}

static void check_state(const LV2Descriptor *descriptor, void *instance) {
  const LV2StateInterface *state = descriptor->extension_data(LV2_STATE_INTERFACE);
  static Kept kept;
  REQUIRE(state && state->save(instance, store, &kept, 0, NULL) == LV2StateSuccess);
  REQUIRE(state->restore(instance, retrieve, &kept, 0, NULL) == LV2StateSuccess);
  kept.size /= 2;
  REQUIRE(state->restore(instance, retrieve, &kept, 0, NULL) == LV2StateUnknownError);
  kept.type++;
  REQUIRE(state->restore(instance, retrieve, &kept, 0, NULL) == LV2StateBadType);
  kept.size = 0;
  REQUIRE(state->restore(instance, retrieve, &kept, 0, NULL) == LV2StateNoProperty);
  REQUIRE(!descriptor->extension_data("urn:unknown"));
}

// Two inputs, two outputs, the switch, the latency, and no parameters.
static int preset(const LV2Descriptor *(*get)(uint32_t), const char *path) {
  const LV2Descriptor *descriptor = find(get, "urn:swift-audiotoolbox:aufx:ipeq:appl");
  static Kept kept;
  FILE *file = fopen(path, "rb");
  REQUIRE(descriptor && file && (kept.size = fread(kept.bytes, 1, sizeof kept.bytes, file)) > 0);
  void *instance = instantiate(descriptor, most_frames);
  kept.type = map_uri(NULL, LV2_ATOM_CHUNK);
  float enabled = 1, latency, first[2];
  for (uint32_t i = 0; i < 4; i++) descriptor->connect_port(instance, i, sounds[i]);
  descriptor->connect_port(instance, 4, &enabled), descriptor->connect_port(instance, 5, &latency);
  for (int round = 0; round < 2; round++) {
    const LV2StateInterface *state = descriptor->extension_data(LV2_STATE_INTERFACE);
    if (round) REQUIRE(state->restore(instance, retrieve, &kept, 0, NULL) == LV2StateSuccess);
    memset(sounds, 0, sizeof sounds);
    sounds[0][0] = sounds[1][0] = 1;
    descriptor->activate(instance);
    descriptor->run(instance, most_frames);
    descriptor->deactivate(instance);
    first[round] = sounds[2][0];
  }
  descriptor->cleanup(instance);
  REQUIRE(first[0] == 1 && first[1] != 1 && first[1] > 0);
  return 0;
}

int main(int count, char **arguments) {
  void *library = count > 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  const LV2Descriptor *(*get)(uint32_t) = library ? dlsym(library, "lv2_descriptor") : NULL;
  if (!get) {
    fprintf(stderr, "%s\n", library ? "no LV2" : dlerror());
    return 1;
  }
  if (!strcmp(arguments[2], "play")) return play(get, arguments[3]);
  if (!strcmp(arguments[2], "preset")) return preset(get, arguments[3]);
  uint32_t made = 0;
  for (uint32_t i = 0; get(i); i++) {
    void *instance = instantiate(get(i), 512);
    if (!instance) continue;
    made++;
    const LV2Descriptor *descriptor = get(i);
    // Nothing is connected, before and after it is activated; then values that are no numbers.
    descriptor->activate(instance);
    descriptor->run(instance, 0);
    descriptor->run(instance, 600);
    static float controls[most_ports];
    for (uint32_t port = 0; port < most_ports; port++) {
      controls[port] = port % 2 ? NAN : INFINITY;
      descriptor->connect_port(instance, port, port < 4 ? sounds[port] : &controls[port]);
    }
    // This port may be one of events.
    descriptor->connect_port(instance, 1, NULL), descriptor->connect_port(instance, 2, NULL);
    run_watched(descriptor, instance, 64);
    for (int round = 0; round < 20; round++) {
      for (uint32_t port = 4; port < most_ports; port++) controls[port] = (float)round / 4;
      run_watched(descriptor, instance, round % 2 ? 64 : 600);
    }
    descriptor->deactivate(instance);
    check_state(descriptor, instance);
    descriptor->cleanup(instance);
    // Without features.
    const LV2Feature *const none[] = {NULL};
    REQUIRE((instance = descriptor->instantiate(descriptor, rate, "/", none)));
    descriptor->cleanup(instance);
    REQUIRE(!descriptor->instantiate(descriptor, -1, "/", none));
    REQUIRE(!descriptor->instantiate(descriptor, NAN, "/", none));
  }
  printf("%u plug-ins\n", made);
  return 0;
}
