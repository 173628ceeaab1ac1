// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "PipeWireStreamInternal.h"

#ifdef HAS_PIPEWIRE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: Events

static void report_loss(PipeWireStream *s, const char *reason) {
  if (s->is_lost) return;
  s->is_lost = true;
  s->setup.changed(s->setup.context, PipeWireStateLost, reason);
}

static void stream_state(void *data, enum pw_stream_state old, enum pw_stream_state state,
                         const char *error) {
  (void)old;
  PipeWireStream *s = data;
  if (state == PW_STREAM_STATE_ERROR) report_loss(s, error ? error : "the stream is in error");
  else if (state == PW_STREAM_STATE_UNCONNECTED) report_loss(s, "the server has ended the stream");
  else if (!s->is_lost) {
    s->setup.changed(s->setup.context,
                     state == PW_STREAM_STATE_STREAMING ? PipeWireStateRunning : PipeWireStateIdle, "");
  }
}

static void filter_state(void *data, enum pw_filter_state old, enum pw_filter_state state,
                         const char *error) {
  (void)old;
  PipeWireStream *s = data;
  if (state == PW_FILTER_STATE_ERROR) report_loss(s, error ? error : "the filter is in error");
  else if (state == PW_FILTER_STATE_UNCONNECTED) report_loss(s, "the server has ended the filter");
  else if (!s->is_lost) {
    s->setup.changed(s->setup.context,
                     state == PW_FILTER_STATE_STREAMING ? PipeWireStateRunning : PipeWireStateIdle, "");
  }
}

static void stream_io(void *data, uint32_t id, void *area, uint32_t size) {
  PipeWireStream *s = data;
  if (id != SPA_IO_Position) return;
  atomic_store(&s->position, size >= sizeof(struct spa_io_position) ? area : NULL);
}

static void read_latency(Endpoint *endpoint, const struct spa_pod *param, enum spa_direction direction) {
  struct spa_latency_info info;
  if (spa_latency_parse(param, &info) < 0 || info.direction != direction) return;
  endpoint->latency_cycles = info.max_quantum;
  endpoint->latency_frames = info.max_rate;
  endpoint->latency_nanoseconds = info.max_ns;
}

/// The latency to the analog signal in seconds, with the current cycle size and rate of the graph.
static double endpoint_latency(PipeWireStream *s, const Endpoint *endpoint) {
  const uint32_t rate = atomic_load(&s->rate), duration = atomic_load(&s->duration);
  return (endpoint->latency_cycles * (duration ? duration : s->setup.quantum) + endpoint->latency_frames) /
           (double)(rate ? rate : s->setup.rate) + endpoint->latency_nanoseconds / 1e9;
}

static void filter_param(void *data, void *port, uint32_t id, const struct spa_pod *param) {
  PipeWireStream *s = data;
  if (id != SPA_PARAM_Latency || !port || !param) return;
  if (s->playback.channels && port == s->playback.ports[0]) {
    read_latency(&s->playback, param, SPA_DIRECTION_INPUT);
  } else if (s->capture.channels && port == s->capture.ports[0]) {
    read_latency(&s->capture, param, SPA_DIRECTION_OUTPUT);
  }
}

// MARK: Links

/// Links one direction channel by channel, as far as the ports exist.
static void link_endpoint(PipeWireStream *s, Endpoint *endpoint, bool plays) {
  if (endpoint->channels == 0 || endpoint->node == 0) return;
  PipeWireConnection *c = s->connection;
  const uint32_t own = pw.pw_filter_get_node_id(s->filter);
  for (uint32_t i = 0; i < endpoint->channels; i++) {
    if (endpoint->links[i]) continue;
    const Global *mine = pipewire_find_port(c, own, !plays, i);
    const Global *theirs = pipewire_find_port(c, endpoint->node, plays, i);
    if (!mine || !theirs) continue;
    const Global *from = plays ? mine : theirs, *to = plays ? theirs : mine;
    struct pw_properties *props = pw.pw_properties_new(NULL, NULL);
    pw.pw_properties_setf(props, PW_KEY_LINK_OUTPUT_NODE, "%u", from->node);
    pw.pw_properties_setf(props, PW_KEY_LINK_OUTPUT_PORT, "%u", from->id);
    pw.pw_properties_setf(props, PW_KEY_LINK_INPUT_NODE, "%u", to->node);
    pw.pw_properties_setf(props, PW_KEY_LINK_INPUT_PORT, "%u", to->id);
    endpoint->links[i] = pw_core_create_object(c->core, "link-factory", PW_TYPE_INTERFACE_Link,
                                           PW_VERSION_LINK, &props->dict, 0);
    pw.pw_properties_free(props);
  }
}

/// Finds the node of a direction. False if it existed and has been removed.
static bool check_node(PipeWireStream *s, Endpoint *endpoint, bool is_sink) {
  if (endpoint->channels == 0) return true;
  const Global *node = pipewire_find_node(s->connection, endpoint->name, is_sink);
  if (endpoint->node != 0 && (!node || node->id != endpoint->node)) {
    char reason[400];
    snprintf(reason, sizeof reason, "device %s was removed", endpoint->name);
    report_loss(s, reason);
    return false;
  }
  if (node) endpoint->node = node->id;
  return true;
}

static void report_graph(void *context, uint64_t count) {
  (void)count;
  PipeWireStream *s = context;
  if (!s->is_lost) s->setup.graph_changed(s->setup.context, atomic_load(&s->rate), atomic_load(&s->duration));
}

static void observe(void *context) {
  PipeWireStream *s = context;
  if (s->is_lost || !check_node(s, &s->playback, true)) return;
  if (!check_node(s, &s->capture, s->setup.captures_monitor) || !s->filter) return;
  link_endpoint(s, &s->playback, true);
  link_endpoint(s, &s->capture, false);
}

static void died(void *context, const char *reason) { report_loss(context, reason); }

void pipewire_stream_missing(PipeWireStream *s, char *text, uint32_t size) {
  PipeWireConnection *c = s->connection;
  pw.pw_thread_loop_lock(c->loop);
  text[0] = 0;
  const Endpoint *endpoints[] = {&s->playback, &s->capture};
  for (int i = 0; i < 2 && !text[0]; i++) {
    if (endpoints[i]->channels == 0) continue;
    if (endpoints[i]->node == 0) snprintf(text, size, "device %s is absent", endpoints[i]->name);
    else if (s->filter && !endpoints[i]->links[0]) {
      snprintf(text, size, "device %s has no ports: no session manager has set it up", endpoints[i]->name);
    } else if (!s->filter && !c->settings.has_session_manager) {
      snprintf(text, size, "no session manager runs that would link the stream");
    }
  }
  pw.pw_thread_loop_unlock(c->loop);
}

// MARK: Opening and closing

static const struct pw_stream_events stream_events = {
  PW_VERSION_STREAM_EVENTS, .state_changed = stream_state, .io_changed = stream_io,
  .process = pipewire_stream_process};

static const struct pw_filter_events filter_events = {
  PW_VERSION_FILTER_EVENTS, .state_changed = filter_state, .param_changed = filter_param,
  .process = pipewire_filter_process};

static void name_channels(struct spa_audio_info_raw *info) {
  static const uint32_t names[] = {
    SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR, SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE,
    SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR, SPA_AUDIO_CHANNEL_SL, SPA_AUDIO_CHANNEL_SR};
  for (uint32_t i = 0; i < info->channels; i++) {
    info->position[i] = info->channels > 8 ? SPA_AUDIO_CHANNEL_AUX0 + i : names[i];
  }
  if (info->channels == 1) info->position[0] = SPA_AUDIO_CHANNEL_MONO;
  if (info->channels == 4) {
    info->position[2] = SPA_AUDIO_CHANNEL_RL;
    info->position[3] = SPA_AUDIO_CHANNEL_RR;
  }
}

static struct pw_properties *properties(const PipeWireSetup *setup, const char *category) {
  struct pw_properties *props = pw.pw_properties_new(
    PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, category, PW_KEY_MEDIA_NAME, setup->name,
    PW_KEY_NODE_NAME, program_invocation_short_name, PW_KEY_NODE_DESCRIPTION,
    program_invocation_short_name, PW_KEY_APP_NAME, program_invocation_short_name, NULL);
  if (setup->role) pw.pw_properties_set(props, PW_KEY_MEDIA_ROLE, setup->role);
  pw.pw_properties_setf(props, PW_KEY_NODE_LATENCY, "%u/%u", setup->quantum, setup->rate);
  if (setup->requests_rate) pw.pw_properties_setf(props, "node.rate", "1/%u", setup->rate);
  return props;
}

static bool open_stream(PipeWireStream *s) {
  const PipeWireSetup *setup = &s->setup;
  const bool plays = s->playback.channels > 0;
  const Endpoint *endpoint = plays ? &s->playback : &s->capture;
  struct pw_properties *props = properties(setup, plays ? "Playback" : "Capture");
  pw.pw_properties_set(props, "target.object", endpoint->name);
  if (setup->captures_monitor) pw.pw_properties_set(props, PW_KEY_STREAM_CAPTURE_SINK, "true");
  if (setup->is_pinned) {
    // Otherwise it plays to another node as soon as this one is removed. The second property is for
    // newer servers.
    pw.pw_properties_set(props, PW_KEY_NODE_DONT_RECONNECT, "true");
    pw.pw_properties_set(props, "node.dont-fallback", "true");
  }
  s->stream = pw.pw_stream_new(s->connection->core, setup->name, props);
  if (!s->stream) return false;
  pw.pw_stream_add_listener(s->stream, &s->listener, &stream_events, s);
  uint8_t memory[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
  struct spa_audio_info_raw info = {.format = SPA_AUDIO_FORMAT_F32P, .rate = setup->rate,
                                    .channels = endpoint->channels};
  name_channels(&info);
  const struct spa_pod *format = spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info);
  return pw.pw_stream_connect(s->stream, plays ? PW_DIRECTION_OUTPUT : PW_DIRECTION_INPUT, PW_ID_ANY,
                              PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS |
                                PW_STREAM_FLAG_RT_PROCESS,
                              &format, 1) >= 0;
}

static bool add_ports(PipeWireStream *s, Endpoint *endpoint, bool plays) {
  endpoint->spare = calloc(endpoint->channels ? endpoint->channels : 1, MaximumFrames * sizeof(float));
  for (uint32_t i = 0; endpoint->spare && i < endpoint->channels; i++) {
    struct pw_properties *props =
      pw.pw_properties_new(PW_KEY_FORMAT_DSP, "32 bit float mono audio", NULL);
    pw.pw_properties_setf(props, PW_KEY_PORT_NAME, "%s_%u", plays ? "output" : "input", i + 1);
    endpoint->ports[i] = pw.pw_filter_add_port(
      s->filter, plays ? PW_DIRECTION_OUTPUT : PW_DIRECTION_INPUT, PW_FILTER_PORT_FLAG_MAP_BUFFERS,
      sizeof(void *), props, NULL, 0);
    if (!endpoint->ports[i]) return false;
  }
  return endpoint->spare != NULL;
}

static bool open_filter(PipeWireStream *s) {
  s->filter = pw.pw_filter_new(s->connection->core, s->setup.name, properties(&s->setup, "Duplex"));
  if (!s->filter) return false;
  pw.pw_filter_add_listener(s->filter, &s->listener, &filter_events, s);
  return add_ports(s, &s->playback, true) && add_ports(s, &s->capture, false) &&
         pw.pw_filter_connect(s->filter, PW_FILTER_FLAG_RT_PROCESS, NULL, 0) >= 0;
}

static void init_endpoint(Endpoint *endpoint, const char *name, uint32_t channels) {
  endpoint->name = name ? strdup(name) : NULL;
  endpoint->channels = name ? SPA_MIN(channels, (uint32_t)PipeWireMaximumChannels) : 0;
}

// The connection that lists devices may learn later than this one that a device was removed.
static bool is_present(PipeWireStream *s, const Endpoint *endpoint, bool is_sink, char *reason, uint32_t size) {
  if (endpoint->channels == 0 || pipewire_find_node(s->connection, endpoint->name, is_sink)) return true;
  snprintf(reason, size, "PipeWire: device %s is absent", endpoint->name);
  return false;
}

PipeWireStream *pipewire_stream_open(const PipeWireSetup *setup, char *reason, uint32_t size) {
  PipeWireConnection *c = pipewire_connect((PipeWireObserver){0}, reason, size);
  if (!c) return NULL;
  PipeWireStream *s = calloc(1, sizeof *s);
  if (!s) {
    pipewire_disconnect(c);
    return NULL;
  }
  s->connection = c;
  s->setup = *setup;
  atomic_store(&s->policy, -1);
  init_endpoint(&s->playback, setup->playback_node, setup->playback_channels);
  init_endpoint(&s->capture, setup->capture_node, setup->capture_channels);
  // The strings belong to the caller.
  s->setup.playback_node = s->setup.capture_node = NULL;
  snprintf(reason, size, "the PipeWire server refused the stream");
  pw.pw_thread_loop_lock(c->loop);
  s->graph_event = pw_loop_add_event(pw.pw_thread_loop_get_loop(c->loop), report_graph, s);
  bool is_open = s->graph_event && is_present(s, &s->playback, true, reason, size) &&
                 is_present(s, &s->capture, setup->captures_monitor, reason, size) &&
                 (setup->is_filter ? open_filter(s) : open_stream(s));
  s->setup.name = NULL;
  if (is_open) {
    c->observer = (PipeWireObserver){s, observe, died};
    observe(s);
    if (!c->is_alive) report_loss(s, c->reason);
  }
  pw.pw_thread_loop_unlock(c->loop);
  if (is_open) return s;
  pipewire_stream_close(s);
  return NULL;
}

void pipewire_stream_close(PipeWireStream *s) {
  PipeWireConnection *c = s->connection;
  pw.pw_thread_loop_lock(c->loop);
  s->is_lost = true;
  c->observer = (PipeWireObserver){0};
  Endpoint *endpoints[] = {&s->playback, &s->capture};
  for (int i = 0; i < 2; i++) {
    for (uint32_t k = 0; k < endpoints[i]->channels; k++) {
      if (endpoints[i]->links[k]) pw.pw_proxy_destroy(endpoints[i]->links[k]);
    }
  }
  pipewire_end_profile(s);
  // Before the loop ends, because that does not end the thread that runs the cycles.
  if (s->stream) pw.pw_stream_destroy(s->stream);
  if (s->filter) pw.pw_filter_destroy(s->filter);
  if (s->graph_event) {
    pw_loop_destroy_source(pw.pw_thread_loop_get_loop(c->loop), s->graph_event);
  }
  // Without unlocking first, because the library leaves descriptors open that arrive for a removed
  // node.
  pipewire_close_core(c);
  pw.pw_thread_loop_unlock(c->loop);
  pipewire_disconnect(c);
  for (int i = 0; i < 2; i++) {
    free(endpoints[i]->name);
    free(endpoints[i]->spare);
  }
  free(s);
}

double pipewire_stream_latency(PipeWireStream *s, bool is_output) {
  pw.pw_thread_loop_lock(s->connection->loop);
  double latency = endpoint_latency(s, is_output ? &s->playback : &s->capture);
  struct pw_time time = {0};
  if (s->stream && pw.pw_stream_get_time_n(s->stream, &time, sizeof time) >= 0 && time.rate.denom) {
    double delay = (double)time.delay * time.rate.num / time.rate.denom;
    latency = delay + (double)(time.queued + time.buffered) / s->setup.rate;
  }
  pw.pw_thread_loop_unlock(s->connection->loop);
  return latency > 0 ? latency : 0;
}

int pipewire_stream_policy(PipeWireStream *s, int *priority) {
  *priority = atomic_load(&s->priority);
  return atomic_load(&s->policy);
}

#else
#include "PipeWire.h"

PipeWireStream *pipewire_stream_open(const PipeWireSetup *setup, char *reason, uint32_t size) {
  return (void)setup, (void)pipewire_connect((PipeWireObserver){0}, reason, size), (void *)0;
}
void pipewire_stream_close(PipeWireStream *s) { (void)s; }
void pipewire_stream_missing(PipeWireStream *s, char *text, uint32_t size) {
  (void)s, (void)size;
  *text = 0;
}
double pipewire_stream_latency(PipeWireStream *s, bool is_output) { return (void)s, (void)is_output, 0; }
int pipewire_stream_policy(PipeWireStream *s, int *priority) { return (void)s, (void)priority, -1; }
#endif
