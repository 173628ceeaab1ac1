// SPDX-License-Identifier: Apache-2.0
#include "LV2Host.h"

#if __has_include(<lv2/core/lv2.h>)

#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/state/state.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ByteQueue.h"

bool lv2_is_built(void) { return true; }

// Numbers of URIs

static LV2_URID map_uri(LV2_URID_Map_Handle handle, const char *uri) {
  (void)handle;
  return lv2_map(uri);
}
static const char *unmap_number(LV2_URID_Unmap_Handle handle, LV2_URID number) {
  (void)handle;
  return lv2_unmap(number);
}
static LV2_URID_Map map = {NULL, map_uri};
static LV2_URID_Unmap unmap = {NULL, unmap_number};

const void *lv2_map_feature(void) { return &map; }
const void *lv2_unmap_feature(void) { return &unmap; }

// What the render thread needs of them, mapped once.
static struct {
  LV2_URID sequence, chunk, object, frame_time, midi_event, float_, double_, int_, long_;
  LV2_URID position, time_frame, speed, bar, bar_beat, beat, beat_unit, beats_per_bar, beats_per_minute;
  LV2_URID rate, min_length, max_length, nominal_length, sequence_size;
} uris;
static pthread_once_t mapped = PTHREAD_ONCE_INIT;

static void map_all(void) {
  uris.sequence = lv2_map(LV2_ATOM__Sequence);
  uris.chunk = lv2_map(LV2_ATOM__Chunk);
  uris.object = lv2_map(LV2_ATOM__Object);
  uris.frame_time = lv2_map(LV2_ATOM__frameTime);
  uris.midi_event = lv2_map(LV2_MIDI__MidiEvent);
  uris.float_ = lv2_map(LV2_ATOM__Float);
  uris.double_ = lv2_map(LV2_ATOM__Double);
  uris.int_ = lv2_map(LV2_ATOM__Int);
  uris.long_ = lv2_map(LV2_ATOM__Long);
  uris.position = lv2_map(LV2_TIME__Position);
  uris.time_frame = lv2_map(LV2_TIME__frame);
  uris.speed = lv2_map(LV2_TIME__speed);
  uris.bar = lv2_map(LV2_TIME__bar);
  uris.bar_beat = lv2_map(LV2_TIME__barBeat);
  uris.beat = lv2_map(LV2_TIME__beat);
  uris.beat_unit = lv2_map(LV2_TIME__beatUnit);
  uris.beats_per_bar = lv2_map(LV2_TIME__beatsPerBar);
  uris.beats_per_minute = lv2_map(LV2_TIME__beatsPerMinute);
  uris.rate = lv2_map(LV2_PARAMETERS__sampleRate);
  uris.min_length = lv2_map(LV2_BUF_SIZE__minBlockLength);
  uris.max_length = lv2_map(LV2_BUF_SIZE__maxBlockLength);
  uris.nominal_length = lv2_map(LV2_BUF_SIZE__nominalBlockLength);
  uris.sequence_size = lv2_map(LV2_BUF_SIZE__sequenceSize);
}

struct LV2Host {
  LilvInstance *instance;
  const LilvTable *lilv;
  // The work that the plug-in schedules in renders: requests to the worker, and its responses.
  const LV2_Worker_Interface *work;
  ByteQueue *requests, *responses;
  uint8_t *request, *response;
  pthread_t thread;
  sem_t wake;
  bool has_thread;
  _Atomic bool is_ending;
  _Atomic bool is_offline;
  pthread_mutex_t work_lock;
  // Events
  LV2_Atom_Sequence *in, *out;
  uint32_t event_bytes;
  // Features and what they point at.
  LV2_Options_Option options[6];
  float rate;
  int32_t min_length, max_length, sequence_size;
  LV2_Worker_Schedule schedule;
  LV2_Log_Log log;
  char message[256];
  LV2_Feature features[12];
  const LV2_Feature *list[13];
};

static const LV2_Descriptor *descriptor(const LV2Host *host) { return host->instance->descriptor; }

static const void *extension(const LV2Host *host, const char *uri) {
  const LV2_Descriptor *functions = descriptor(host);
  return functions->extension_data ? functions->extension_data(uri) : NULL;
}

// The log: the last message is the reason of a failure.

static int log_list(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
  (void)type;
  LV2Host *host = handle;
  return vsnprintf(host->message, sizeof host->message, format, arguments);
}

static int log_line(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = log_list(handle, type, format, arguments);
  va_end(arguments);
  return count;
}

// The worker

static LV2_Worker_Status respond(LV2_Worker_Respond_Handle handle, uint32_t size, const void *data) {
  LV2Host *host = handle;
  return byte_queue_push(host->responses, data, size) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE;
}

// One call at a time, in the worker's thread or in the thread of an offline render.
static bool work_once(LV2Host *host) {
  pthread_mutex_lock(&host->work_lock);
  uint32_t size;
  bool has = byte_queue_pop(host->requests, host->request, &size);
  if (has) host->work->work(host->instance->handle, respond, host, size, host->request);
  pthread_mutex_unlock(&host->work_lock);
  return has;
}

static void *worker(void *memory) {
  LV2Host *host = memory;
  for (;;) {
    while (sem_wait(&host->wake) != 0) {
    }
    if (atomic_load(&host->is_ending)) return NULL;
    while (work_once(host)) {
    }
  }
}

static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle handle, uint32_t size, const void *data) {
  LV2Host *host = handle;
  if (!host->requests || !byte_queue_push(host->requests, data, size)) return LV2_WORKER_ERR_NO_SPACE;
  // Offline, `lv2_run` does the work.
  if (!atomic_load_explicit(&host->is_offline, memory_order_relaxed)) sem_post(&host->wake);
  return LV2_WORKER_SUCCESS;
}

static bool start_worker(LV2Host *host) {
  host->work = extension(host, LV2_WORKER__interface);
  if (!host->work || !host->work->work) {
    host->work = NULL;
    return true;
  }
  host->has_thread = pthread_create(&host->thread, NULL, worker, host) == 0;
  return host->has_thread;
}

static void end_worker(LV2Host *host) {
  if (!host->has_thread) return;
  atomic_store(&host->is_ending, true);
  sem_post(&host->wake);
  pthread_join(host->thread, NULL);
  host->has_thread = false;
}

static void pass_responses(LV2Host *host) {
  uint32_t size;
  while (byte_queue_pop(host->responses, host->response, &size)) {
    if (host->work->work_response) host->work->work_response(host->instance->handle, size, host->response);
  }
  if (host->work->end_run) host->work->end_run(host->instance->handle);
}

// Life

static const char *const known[] = {
    LV2_URID__map, LV2_URID__unmap, LV2_OPTIONS__options, LV2_BUF_SIZE__boundedBlockLength,
    LV2_BUF_SIZE__coarseBlockLength, LV2_WORKER__schedule, LV2_LOG__log, LV2_STATE__loadDefaultState,
    LV2_STATE__threadSafeRestore,
    // These say something about the plug-in.
    LV2_CORE__isLive, LV2_CORE__hardRTCapable, LV2_CORE_PREFIX "hardRtCapable", LV2_CORE__inPlaceBroken};

bool lv2_has_feature(const char *uri) {
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(known[i], uri) == 0) return true;
  }
  return false;
}

static void add_feature(LV2Host *host, int *count, const char *uri, void *data) {
  host->features[*count] = (LV2_Feature){uri, data};
  host->list[*count] = &host->features[*count];
  (*count)++;
}

static void make_features(LV2Host *host, const LV2Setup *setup) {
  host->rate = (float)setup->rate;
  host->min_length = 1;
  host->max_length = (int32_t)setup->maximum_frames;
  host->sequence_size = (int32_t)setup->event_bytes;
  LV2_Options_Option options[] = {
      {LV2_OPTIONS_INSTANCE, 0, uris.rate, sizeof(float), uris.float_, &host->rate},
      {LV2_OPTIONS_INSTANCE, 0, uris.min_length, sizeof(int32_t), uris.int_, &host->min_length},
      {LV2_OPTIONS_INSTANCE, 0, uris.max_length, sizeof(int32_t), uris.int_, &host->max_length},
      {LV2_OPTIONS_INSTANCE, 0, uris.nominal_length, sizeof(int32_t), uris.int_, &host->max_length},
      {LV2_OPTIONS_INSTANCE, 0, uris.sequence_size, sizeof(int32_t), uris.int_, &host->sequence_size},
      {LV2_OPTIONS_INSTANCE, 0, 0, 0, 0, NULL}};
  memcpy(host->options, options, sizeof options);
  host->schedule = (LV2_Worker_Schedule){host, schedule};
  host->log = (LV2_Log_Log){host, log_line, log_list};
  int count = 0;
  add_feature(host, &count, LV2_URID__map, &map);
  add_feature(host, &count, LV2_URID__unmap, &unmap);
  add_feature(host, &count, LV2_OPTIONS__options, host->options);
  add_feature(host, &count, LV2_BUF_SIZE__boundedBlockLength, NULL);
  add_feature(host, &count, LV2_BUF_SIZE__coarseBlockLength, NULL);
  add_feature(host, &count, LV2_WORKER__schedule, &host->schedule);
  add_feature(host, &count, LV2_LOG__log, &host->log);
  add_feature(host, &count, LV2_STATE__loadDefaultState, NULL);
}

bool lv2_is_complete(void *function, const char *uri) {
  const LV2_Descriptor *(*next)(uint32_t) = (const LV2_Descriptor *(*)(uint32_t))function;
  // A broken library may never end its list.
  for (uint32_t i = 0; next && i < 4096; i++) {
    const LV2_Descriptor *found = next(i);
    if (!found) return true;
    if (found->URI && strcmp(found->URI, uri) == 0) {
      return found->instantiate && found->connect_port && found->run && found->cleanup;
    }
  }
  return true;
}

// lilv connects every port to null, so those that nobody connects stay so.
LV2Host *lv2_make(const LilvPlugin *plugin, const LV2Setup *setup, char *reason, size_t reason_size) {
  pthread_once(&mapped, map_all);
  LV2Host *host = calloc(1, sizeof *host);
  if (!host) return NULL;
  host->lilv = lilv_open();
  host->event_bytes = setup->event_bytes;
  sem_init(&host->wake, 0, 0);
  pthread_mutex_init(&host->work_lock, NULL);
  host->in = aligned_alloc(64, setup->event_bytes);
  host->out = aligned_alloc(64, setup->event_bytes);
  host->requests = calloc(1, sizeof *host->requests);
  host->responses = calloc(1, sizeof *host->responses);
  host->request = malloc(BYTE_QUEUE_SIZE);
  host->response = malloc(BYTE_QUEUE_SIZE);
  bool has_memory = host->lilv && host->in && host->out && host->requests && host->responses && host->request &&
                    host->response;
  if (has_memory) {
    make_features(host, setup);
    host->instance = host->lilv->lilv_plugin_instantiate(plugin, setup->rate, host->list);
  }
  if (!host->instance || !start_worker(host)) {
    snprintf(reason, reason_size, "%s", host->message);
    lv2_free(host);
    return NULL;
  }
  if (setup->events_in >= 0) lv2_connect(host, (uint32_t)setup->events_in, host->in);
  if (setup->events_out >= 0) lv2_connect(host, (uint32_t)setup->events_out, host->out);
  lv2_begin(host);
  return host;
}

void lv2_free(LV2Host *host) {
  end_worker(host);
  if (host->instance) host->lilv->lilv_instance_free(host->instance);
  sem_destroy(&host->wake);
  pthread_mutex_destroy(&host->work_lock);
  free(host->in);
  free(host->out);
  free(host->requests);
  free(host->responses);
  free(host->request);
  free(host->response);
  free(host);
}

LilvInstance *lv2_instance(LV2Host *host) { return host->instance; }

void lv2_connect(LV2Host *host, uint32_t port, void *data) {
  descriptor(host)->connect_port(host->instance->handle, port, data);
}

void lv2_activate(LV2Host *host) {
  if (descriptor(host)->activate) descriptor(host)->activate(host->instance->handle);
}

static void deactivate(LV2Host *host) {
  if (descriptor(host)->deactivate) descriptor(host)->deactivate(host->instance->handle);
}

void lv2_deactivate(LV2Host *host) {
  lv2_lock_work(host);
  deactivate(host);
  lv2_unlock_work(host);
}

void lv2_lock_work(LV2Host *host) { pthread_mutex_lock(&host->work_lock); }
void lv2_unlock_work(LV2Host *host) { pthread_mutex_unlock(&host->work_lock); }

// Without the lock, for which a render would wait.
void lv2_reset(LV2Host *host) {
  deactivate(host);
  if (host->responses) byte_queue_clear(host->responses);
  lv2_activate(host);
}

// Events

static void *add_event(LV2Host *host, uint32_t frame, LV2_URID type, uint32_t size) {
  uint32_t used = (uint32_t)sizeof(LV2_Atom) + host->in->atom.size;
  uint32_t needed = (uint32_t)sizeof(LV2_Atom_Event) + ((size + 7) & ~7u);
  if (size > host->event_bytes || needed > host->event_bytes - used) return NULL;
  LV2_Atom_Event *event = (LV2_Atom_Event *)((uint8_t *)host->in + used);
  event->time.frames = frame;
  event->body = (LV2_Atom){size, type};
  host->in->atom.size += needed;
  return event + 1;
}

void lv2_begin(LV2Host *host) {
  host->in->atom = (LV2_Atom){sizeof(LV2_Atom_Sequence_Body), uris.sequence};
  host->in->body = (LV2_Atom_Sequence_Body){0, 0};
  host->out->atom = (LV2_Atom){host->event_bytes - (uint32_t)sizeof(LV2_Atom), uris.chunk};
  host->out->body = (LV2_Atom_Sequence_Body){0, 0};
}

bool lv2_add_midi(LV2Host *host, uint32_t frame, const uint8_t *bytes, uint32_t count) {
  void *body = add_event(host, frame, uris.midi_event, count);
  if (body) memcpy(body, bytes, count);
  return body;
}

typedef struct Property {
  uint32_t key, context, size, type;
  union {
    float f;
    double d;
    int32_t i;
    int64_t l;
  } value;
} Property;
_Static_assert(sizeof(Property) == 24, "a property with a value of up to eight bytes");

bool lv2_add_position(LV2Host *host, const LV2Position *at) {
  Property properties[9];
  uint32_t count = 0;
#define ADD(uri, type_, member, value_, size_) \
  properties[count++] = (Property){.key = uri, .size = size_, .type = type_, .value.member = value_}
  ADD(uris.time_frame, uris.long_, l, at->frame, 8);
  ADD(uris.speed, uris.float_, f, at->speed, 4);
  ADD(uris.beat, uris.double_, d, at->beat, 8);
  ADD(uris.beats_per_minute, uris.float_, f, at->beats_per_minute, 4);
  if (at->has_bar) {
    ADD(uris.bar, uris.long_, l, at->bar, 8);
    ADD(uris.bar_beat, uris.float_, f, at->bar_beat, 4);
    ADD(uris.beats_per_bar, uris.float_, f, at->beats_per_bar, 4);
    ADD(uris.beat_unit, uris.int_, i, at->beat_unit, 4);
  }
#undef ADD
  uint32_t bytes = count * (uint32_t)sizeof(Property);
  uint8_t *body = add_event(host, 0, uris.object, (uint32_t)sizeof(LV2_Atom_Object_Body) + bytes);
  if (!body) return false;
  LV2_Atom_Object_Body object = {0, uris.position};
  memcpy(body, &object, sizeof object);
  memcpy(body + sizeof object, properties, bytes);
  return true;
}

void lv2_run(LV2Host *host, uint32_t frames, bool is_offline) {
  atomic_store_explicit(&host->is_offline, is_offline, memory_order_relaxed);
  descriptor(host)->run(host->instance->handle, frames);
  if (!host->work) return;
  if (is_offline) {
    while (work_once(host)) {
    }
  }
  pass_responses(host);
}

bool lv2_next_midi(
    LV2Host *host, uint32_t *position, uint32_t *frame, const uint8_t **bytes, uint32_t *count) {
  const LV2_Atom_Sequence *out = host->out;
  uint32_t end = (uint32_t)sizeof(LV2_Atom) + out->atom.size;
  if (out->atom.type != uris.sequence || end > host->event_bytes) return false;
  if (*position == 0) *position = sizeof(LV2_Atom_Sequence);
  while (*position + sizeof(LV2_Atom_Event) <= end) {
    const LV2_Atom_Event *event = (const LV2_Atom_Event *)((const uint8_t *)out + *position);
    uint32_t size = event->body.size;
    if (size > end - *position - sizeof(LV2_Atom_Event)) return false;
    *position += (uint32_t)sizeof(LV2_Atom_Event) + ((size + 7) & ~7u);
    if (event->body.type != uris.midi_event || size == 0) continue;
    *frame = event->time.frames < 0 ? 0 : (uint32_t)event->time.frames;
    *bytes = (const uint8_t *)(event + 1);
    *count = size;
    return true;
  }
  return false;
}

#endif
