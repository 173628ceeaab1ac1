// SPDX-License-Identifier: Apache-2.0
#include "CLAPInstance.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "CLAPEventLists.h"

struct CLAPInstance {
  CLAPHost host;
  const CLAPPlugIn *plug_in;
  _Atomic uint32_t *requests;
  sem_t *wake;
  /// The thread that is inside a call for render threads; 0: none.
  _Atomic uintptr_t render_thread;
  bool is_active, is_processing;
  int64_t steady_time;
  char message[256];
  /// The timers that the plug-in has registered; a period of 0: none.
  struct {
    uint64_t period, due;
  } timers[16];
  const CLAPParams *params;
  const CLAPState *state;
  const CLAPLatency *latency;
  const CLAPTail *tail;
  const CLAPRender *render;
  const CLAPAudioPorts *audio_ports;
  const CLAPNotePorts *note_ports;
  /// The ports, and the parameters by index.
  CLAPAudioBuffer *inputs, *outputs;
  uint32_t input_count, output_count;
  EventLists events;
};

// What the plug-in gets from the host

static _Atomic uintptr_t main_thread;
static uintptr_t this_thread(void) { return (uintptr_t)pthread_self(); }
void clap_set_main_thread(void) { atomic_store(&main_thread, this_thread()); }

static CLAPInstance *of(const CLAPHost *host) { return host->host_data; }

static bool is_audio_thread(const CLAPHost *host) {
  return atomic_load(&of(host)->render_thread) == this_thread();
}
static bool is_main_thread(const CLAPHost *host) {
  // The main thread stops and resets, too, as a render thread that never runs at the same time.
  return atomic_load(&main_thread) == this_thread() && !is_audio_thread(host);
}

static void request(const CLAPHost *host, uint32_t bit) {
  atomic_fetch_or(of(host)->requests, bit);
  sem_post(of(host)->wake);
}
static void request_restart(const CLAPHost *host) { request(host, CLAPRequestRestart); }
static void request_callback(const CLAPHost *host) { request(host, CLAPRequestCallback); }
static void request_process(const CLAPHost *host) { (void)host; }
static void request_flush(const CLAPHost *host) { request(host, CLAPRequestFlush); }
static void tail_changed(const CLAPHost *host) { request(host, CLAPRequestTail); }
/// Within `activate`, after which it is read in any case; elsewhere only a restart makes it valid.
static void latency_changed(const CLAPHost *host) {
  if (of(host)->is_active) request(host, CLAPRequestRestart);
}
static void rescan_parameters(const CLAPHost *host, uint32_t flags) {
  if (flags & (CLAPParamRescanValues | CLAPParamRescanAll)) request(host, CLAPRequestValues);
}
static void clear_parameter(const CLAPHost *host, uint32_t id, uint32_t flags) {
  (void)host, (void)id, (void)flags;
}
static void mark_dirty(const CLAPHost *host) { (void)host; }
static bool can_rescan_ports(const CLAPHost *host, uint32_t flag) { return (void)host, (void)flag, false; }
static void rescan_ports(const CLAPHost *host, uint32_t flags) { (void)host, (void)flags; }
static uint32_t supported_dialects(const CLAPHost *host) {
  return (void)host, CLAPNoteDialectCLAP | CLAPNoteDialectMIDI;
}
// Timers: the main thread calls them, so it looks at them again when there is another one.

static uint64_t host_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

enum { most_timers = 16, shortest_period = 10 };

static bool register_timer(const CLAPHost *host, uint32_t milliseconds, uint32_t *id) {
  if (!is_main_thread(host) || !id) return false;
  for (uint32_t i = 0; i < most_timers; i++) {
    if (of(host)->timers[i].period) continue;
    const uint64_t period = milliseconds < shortest_period ? shortest_period : milliseconds;
    of(host)->timers[i].period = period * 1000000u;
    of(host)->timers[i].due = host_time() + of(host)->timers[i].period;
    *id = i;
    sem_post(of(host)->wake);
    return true;
  }
  return false;
}

static bool unregister_timer(const CLAPHost *host, uint32_t id) {
  if (!is_main_thread(host) || id >= most_timers || !of(host)->timers[id].period) return false;
  of(host)->timers[id].period = 0;
  return true;
}

static void take_message(const CLAPHost *host, int32_t severity, const char *message) {
  if (severity < CLAPLogWarning || !message || !is_main_thread(host)) return;
  snprintf(of(host)->message, sizeof of(host)->message, "%s", message);
}

static const void *host_extension(const CLAPHost *host, const char *id) {
  static const CLAPHostThreadCheck threads = {is_main_thread, is_audio_thread};
  static const CLAPHostParams params = {rescan_parameters, clear_parameter, request_flush};
  static const CLAPHostState state = {mark_dirty};
  static const CLAPHostLatency latency = {latency_changed};
  static const CLAPHostTail tail = {tail_changed};
  static const CLAPHostAudioPorts audio_ports = {can_rescan_ports, rescan_ports};
  static const CLAPHostNotePorts note_ports = {supported_dialects, rescan_ports};
  static const CLAPHostLog log = {take_message};
  static const CLAPHostTimers timers = {register_timer, unregister_timer};
  const struct {
    const char *id;
    const void *table;
  } tables[] = {{CLAP_THREAD_CHECK, &threads}, {CLAP_PARAMS, &params}, {CLAP_STATE, &state},
                {CLAP_LATENCY, &latency}, {CLAP_TAIL, &tail}, {CLAP_AUDIO_PORTS, &audio_ports},
                {CLAP_NOTE_PORTS, &note_ports}, {CLAP_LOG, &log}, {CLAP_TIMERS, &timers}};
  (void)host;
  for (size_t i = 0; id && i < sizeof tables / sizeof tables[0]; i++) {
    if (strcmp(id, tables[i].id) == 0) return tables[i].table;
  }
  return NULL;
}

// Life

static const void *extension(const CLAPInstance *instance, const char *id) {
  return instance->plug_in->get_extension(instance->plug_in, id);
}

static bool is_complete(const CLAPPlugIn *plug_in) {
  return plug_in->init && plug_in->destroy && plug_in->activate && plug_in->deactivate && plug_in->process
      && plug_in->get_extension;
}

static CLAPAudioBuffer *read_ports(const CLAPInstance *instance, bool is_input, uint32_t *count) {
  uint32_t most = clap_port_count(instance, is_input);
  CLAPAudioBuffer *buffers = calloc(most + 1u, sizeof *buffers);
  for (*count = 0; buffers && *count < most; (*count)++) {
    CLAPAudioPortInfo info;
    if (!clap_port(instance, *count, is_input, &info)) break;
    buffers[*count].channel_count = info.channel_count;
  }
  return buffers;
}

static bool read_tables(CLAPInstance *instance) {
  instance->params = extension(instance, CLAP_PARAMS);
  instance->state = extension(instance, CLAP_STATE);
  instance->latency = extension(instance, CLAP_LATENCY);
  instance->tail = extension(instance, CLAP_TAIL);
  instance->render = extension(instance, CLAP_RENDER);
  instance->audio_ports = extension(instance, CLAP_AUDIO_PORTS);
  instance->note_ports = extension(instance, CLAP_NOTE_PORTS);
  instance->inputs = read_ports(instance, true, &instance->input_count);
  instance->outputs = read_ports(instance, false, &instance->output_count);
  CLAPNotePortInfo notes;
  if (!clap_note_port(instance, true, &notes)) notes = (CLAPNotePortInfo){0};
  const bool has_lists = event_lists_init(&instance->events, clap_parameter_count(instance), &notes);
  for (uint32_t i = 0; has_lists && i < instance->events.parameter_count; i++) {
    CLAPParamInfo info;
    if (!clap_parameter(instance, i, &info)) continue;
    instance->events.parameters[i] = (EventParameter){info.id, info.cookie};
  }
  return has_lists && instance->inputs && instance->outputs;
}

CLAPInstance *clap_make(const CLAPFactory *factory, const char *id, uint32_t *requests, sem_t *wake) {
  CLAPInstance *instance = factory->create ? calloc(1, sizeof *instance) : NULL;
  if (!instance) return NULL;
  instance->host = (CLAPHost){
      {1, 2, 2}, instance, "swift-audiotoolbox", "swift-audiotoolbox", "", "1", host_extension, request_restart,
      request_process, request_callback};
  instance->requests = (_Atomic uint32_t *)requests;
  instance->wake = wake;
  const CLAPPlugIn *made = factory->create(factory, &instance->host, id);
  if (made && is_complete(made)) {
    instance->plug_in = made;
    if (made->init(made) && read_tables(instance)) return instance;
  }
  clap_free(instance);
  return NULL;
}

void clap_free(CLAPInstance *instance) {
  if (instance->plug_in) {
    clap_deactivate(instance);
    instance->plug_in->destroy(instance->plug_in);
  }
  event_lists_free(&instance->events);
  free(instance->inputs);
  free(instance->outputs);
  free(instance);
}

const char *clap_message(const CLAPInstance *instance) { return instance->message; }
const CLAPPlugIn *clap_plug_in(const CLAPInstance *instance) { return instance->plug_in; }

// Ports

uint32_t clap_port_count(const CLAPInstance *instance, bool is_input) {
  const CLAPAudioPorts *ports = instance->audio_ports;
  uint32_t count = ports && ports->count && ports->get ? ports->count(instance->plug_in, is_input) : 0;
  // More are a fault, which the description reports.
  return count < 4096 ? count : 4096;
}

bool clap_port(const CLAPInstance *instance, uint32_t index, bool is_input, CLAPAudioPortInfo *info) {
  memset(info, 0, sizeof *info);
  bool is_known = instance->audio_ports->get(instance->plug_in, index, is_input, info);
  info->name[sizeof info->name - 1] = 0;
  return is_known;
}

bool clap_note_port(const CLAPInstance *instance, bool is_input, CLAPNotePortInfo *info) {
  const CLAPNotePorts *ports = instance->note_ports;
  memset(info, 0, sizeof *info);
  return ports && ports->count && ports->get && ports->count(instance->plug_in, is_input) > 0
      && ports->get(instance->plug_in, 0, is_input, info);
}

// Parameters

uint32_t clap_parameter_count(const CLAPInstance *instance) {
  const CLAPParams *params = instance->params;
  uint32_t count = params && params->count && params->get_info ? params->count(instance->plug_in) : 0;
  return count < 65536 ? count : 65536;
}

bool clap_parameter(const CLAPInstance *instance, uint32_t index, CLAPParamInfo *info) {
  memset(info, 0, sizeof *info);
  bool is_known = instance->params->get_info(instance->plug_in, index, info);
  info->name[sizeof info->name - 1] = 0;
  info->module[sizeof info->module - 1] = 0;
  return is_known;
}

static uint32_t id_of(const CLAPInstance *instance, uint32_t index) {
  return index < instance->events.parameter_count ? instance->events.parameters[index].id : CLAP_INVALID_ID;
}

bool clap_value(const CLAPInstance *instance, uint32_t index, double *value) {
  const CLAPParams *params = instance->params;
  return params && params->get_value && params->get_value(instance->plug_in, id_of(instance, index), value);
}

bool clap_text(const CLAPInstance *instance, uint32_t index, double value, char *text, uint32_t size) {
  const CLAPParams *params = instance->params;
  memset(text, 0, size);
  bool has = params && params->value_to_text
      && params->value_to_text(instance->plug_in, id_of(instance, index), value, text, size);
  text[size - 1] = 0;
  return has;
}

bool clap_value_of_text(const CLAPInstance *instance, uint32_t index, const char *text, double *value) {
  const CLAPParams *params = instance->params;
  return params && params->text_to_value
      && params->text_to_value(instance->plug_in, id_of(instance, index), text, value);
}

bool clap_has(const CLAPInstance *instance, const char *id) { return extension(instance, id); }

// State

typedef struct Bytes {
  uint8_t *bytes;
  size_t count, capacity;
} Bytes;
enum { most_state_bytes = 256 << 20 };

static int64_t write_state(const CLAPOutputStream *stream, const void *bytes, uint64_t count) {
  Bytes *to = stream->context;
  if (count > most_state_bytes - to->count) return -1;
  if (to->count + count > to->capacity) {
    size_t capacity = 2 * to->capacity + count;
    void *longer = realloc(to->bytes, capacity);
    if (!longer) return -1;
    to->bytes = longer;
    to->capacity = capacity;
  }
  memcpy(to->bytes + to->count, bytes, count);
  to->count += count;
  return (int64_t)count;
}

static int64_t read_state(const CLAPInputStream *stream, void *bytes, uint64_t count) {
  Bytes *from = stream->context;
  size_t left = from->capacity - from->count;
  size_t part = count < left ? count : left;
  memcpy(bytes, from->bytes + from->count, part);
  from->count += part;
  return (int64_t)part;
}

void *clap_save(const CLAPInstance *instance, size_t *count) {
  Bytes saved = {0};
  const CLAPOutputStream stream = {&saved, write_state};
  bool is_saved = instance->state && instance->state->save && instance->state->save(instance->plug_in, &stream);
  *count = saved.count;
  if (is_saved && saved.count > 0) return saved.bytes;
  free(saved.bytes);
  return NULL;
}

bool clap_load(const CLAPInstance *instance, const void *bytes, size_t count) {
  Bytes from = {(uint8_t *)bytes, 0, count};
  const CLAPInputStream stream = {&from, read_state};
  return instance->state && instance->state->load && instance->state->load(instance->plug_in, &stream);
}

void clap_set_offline(const CLAPInstance *instance, bool is_offline) {
  if (instance->render && instance->render->set)
    instance->render->set(instance->plug_in, is_offline ? CLAPRenderOffline : CLAPRenderRealTime);
}

// Activity

bool clap_activate(CLAPInstance *instance, double rate, uint32_t max_frames) {
  if (!instance->is_active) instance->is_active = instance->plug_in->activate(instance->plug_in, rate, 1, max_frames);
  return instance->is_active;
}

void clap_deactivate(CLAPInstance *instance) {
  if (!instance->is_active) return;
  if (instance->is_processing && instance->plug_in->stop_processing) {
    atomic_store(&instance->render_thread, this_thread());
    instance->plug_in->stop_processing(instance->plug_in);
    atomic_store(&instance->render_thread, 0);
  }
  instance->is_processing = false;
  instance->is_active = false;
  instance->plug_in->deactivate(instance->plug_in);
}

uint32_t clap_latency(const CLAPInstance *instance) {
  return instance->latency && instance->latency->get ? instance->latency->get(instance->plug_in) : 0;
}

uint32_t clap_tail(const CLAPInstance *instance) {
  return instance->tail && instance->tail->get ? instance->tail->get(instance->plug_in) : INT32_MAX;
}

void clap_call_back(const CLAPInstance *instance) {
  if (instance->plug_in->on_main_thread) instance->plug_in->on_main_thread(instance->plug_in);
}

uint64_t clap_call_timers(CLAPInstance *instance, uint64_t now) {
  const CLAPTimers *table = NULL;
  uint64_t next = UINT64_MAX;
  for (uint32_t i = 0; i < most_timers; i++) {
    if (instance->timers[i].period && instance->timers[i].due <= now) {
      // One call for all that were missed.
      instance->timers[i].due = now + instance->timers[i].period;
      if (!table) table = extension(instance, CLAP_TIMERS);
      if (table && table->on_timer) table->on_timer(instance->plug_in, i);
    }
    if (instance->timers[i].period && instance->timers[i].due < next) next = instance->timers[i].due;
  }
  return next;
}

void clap_flush(CLAPInstance *instance) {
  event_lists_begin(&instance->events);
  if (!instance->is_active && instance->params && instance->params->flush) {
    const CLAPInputEvents in = event_lists_in(&instance->events);
    const CLAPOutputEvents out = event_lists_out(&instance->events);
    instance->params->flush(instance->plug_in, &in, &out);
  }
  event_lists_end(&instance->events);
}

// Renders

bool clap_add_value(CLAPInstance *instance, uint32_t frame, uint32_t index, double value) {
  return event_lists_add_value(&instance->events, frame, index, value);
}

bool clap_add_midi(CLAPInstance *instance, uint32_t frame, const uint8_t *bytes, uint32_t count) {
  return event_lists_add_midi(&instance->events, frame, bytes, count);
}

static void connect(CLAPAudioBuffer *buffers, uint32_t count, float *const *channels) {
  for (uint32_t i = 0; i < count; i++) {
    buffers[i].data32 = (float **)channels;
    buffers[i].data64 = NULL;
    buffers[i].latency = 0;
    buffers[i].constant_mask = 0;
    channels += buffers[i].channel_count;
  }
}

static bool start(CLAPInstance *instance) {
  if (!instance->is_active) return false;
  if (!instance->is_processing)
    instance->is_processing =
        !instance->plug_in->start_processing || instance->plug_in->start_processing(instance->plug_in);
  return instance->is_processing;
}

bool clap_process(
    CLAPInstance *instance, uint32_t frames, float *const *inputs, float *const *outputs,
    const CLAPTransportEvent *transport) {
  event_lists_begin(&instance->events);
  atomic_store_explicit(&instance->render_thread, this_thread(), memory_order_relaxed);
  bool is_processed = start(instance);
  if (is_processed) {
    connect(instance->inputs, instance->input_count, inputs);
    connect(instance->outputs, instance->output_count, outputs);
    const CLAPInputEvents in = event_lists_in(&instance->events);
    const CLAPOutputEvents out = event_lists_out(&instance->events);
    const CLAPProcess call = {
        instance->steady_time, frames, transport, instance->inputs, instance->outputs, instance->input_count,
        instance->output_count, &in, &out};
    is_processed = instance->plug_in->process(instance->plug_in, &call) != CLAPStatusError;
    instance->steady_time += frames;
  }
  atomic_store_explicit(&instance->render_thread, 0, memory_order_relaxed);
  event_lists_end(&instance->events);
  return is_processed;
}

void clap_reset(CLAPInstance *instance) {
  if (!instance->is_active || !instance->plug_in->reset) return;
  atomic_store_explicit(&instance->render_thread, this_thread(), memory_order_relaxed);
  instance->plug_in->reset(instance->plug_in);
  atomic_store_explicit(&instance->render_thread, 0, memory_order_relaxed);
}

const CLAPSent *clap_sent(const CLAPInstance *instance, uint32_t *count) {
  *count = instance->events.sent_count;
  return instance->events.sent;
}
