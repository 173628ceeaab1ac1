// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "PipeWireLibrary.h"

#ifdef HAS_PIPEWIRE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

PipeWireFunctions pw;
static const LibrarySymbol symbols[] = {LIBRARY_SYMBOLS(PIPEWIRE_FUNCTIONS)};
static Library library = {.files = {"libpipewire-0.3.so.0"}, .package = "libpipewire-0.3-0",
                          .symbols = symbols, .count = LIBRARY_COUNT(symbols), .table = &pw};

static void notify_changed(PipeWireConnection *c) {
  if (c->observer.changed) c->observer.changed(c->observer.context);
}

static void replace(char **text, const char *with) {
  free(*text);
  *text = with ? strdup(with) : NULL;
}

// MARK: Metadata

// Values look like {"name":"alsa_output.pci"}.
static void read_default(char **place, const char *value) {
  struct spa_json all, fields;
  char key[64], name[1024];
  free(*place);
  *place = NULL;
  if (!value) return;
  spa_json_init(&all, value, strlen(value));
  if (spa_json_enter_object(&all, &fields) <= 0) return;
  while (!*place && spa_json_get_string(&fields, key, sizeof key) > 0) {
    if (spa_json_get_string(&fields, name, sizeof name) <= 0) return;
    if (!strcmp(key, "name")) *place = strdup(name);
  }
}

static uint32_t number(const char *value) { return value ? (uint32_t)strtoul(value, NULL, 10) : 0; }

// Values look like [ 44100 48000 ], with or without commas.
static void read_rates(PipeWireSettings *settings, const char *value) {
  settings->rate_count = 0;
  const uint32_t most = sizeof settings->rates / sizeof *settings->rates;
  while (value && *value && settings->rate_count < most) {
    char *end;
    unsigned long rate = strtoul(value, &end, 10);
    if (end == value) {
      value++;
      continue;
    }
    settings->rates[settings->rate_count++] = (uint32_t)rate;
    value = end;
  }
}

static int metadata_property(void *data, uint32_t subject, const char *key, const char *type,
                             const char *value) {
  (void)type;
  PipeWireConnection *c = ((Global *)data)->connection;
  if (subject != 0) return 0;
  if (!key) {  // everything was cleared
    replace(&c->default_sink, NULL);
    replace(&c->default_source, NULL);
  } else if (!strcmp(key, "default.audio.sink")) {
    read_default(&c->default_sink, value);
  } else if (!strcmp(key, "default.audio.source")) {
    read_default(&c->default_source, value);
  } else if (!strcmp(key, "clock.rate")) {
    c->settings.rate = c->settings.default_rate = number(value);
  } else if (!strcmp(key, "clock.allowed-rates")) {
    read_rates(&c->settings, value);
  } else if (!strcmp(key, "clock.quantum")) {
    c->settings.quantum = number(value);
  } else if (!strcmp(key, "clock.min-quantum")) {
    c->settings.minimum_quantum = number(value);
  } else if (!strcmp(key, "clock.max-quantum")) {
    c->settings.maximum_quantum = number(value);
  } else if (!strcmp(key, "clock.force-rate")) {
    c->forced_rate = number(value);
    for (Global *g = c->globals; g; g = g->next) g->info.graph_rate = g->is_measured = 0;
  } else if (!strcmp(key, "clock.force-quantum")) {
    c->forced_quantum = number(value);
  } else {
    return 0;
  }
  notify_changed(c);
  return 0;
}

static const struct pw_metadata_events metadata_events = {
  PW_VERSION_METADATA_EVENTS, .property = metadata_property};

// MARK: Registry

static const char *look_up(const struct spa_dict *props, const char *key) {
  return props ? spa_dict_lookup(props, key) : NULL;
}

static void global_added(void *data, uint32_t id, uint32_t permissions, const char *type,
                         uint32_t version, const struct spa_dict *props) {
  (void)permissions, (void)version;
  PipeWireConnection *c = data;
  if (!strcmp(type, PW_TYPE_INTERFACE_Profiler)) c->profiler = id;
  Global *g = calloc(1, sizeof *g);
  if (!g) return;
  g->id = id;
  g->connection = c;
  if (!strcmp(type, PW_TYPE_INTERFACE_Node)) {
    const char *class = look_up(props, PW_KEY_MEDIA_CLASS);
    const char *name = look_up(props, PW_KEY_NODE_NAME);
    const char *description = look_up(props, PW_KEY_NODE_DESCRIPTION);
    const char *priority = look_up(props, PW_KEY_PRIORITY_SESSION);
    g->kind = GlobalNode;
    g->is_sink = class && !strncmp(class, "Audio/Sink", 10);
    g->is_device = g->is_sink || (class && !strncmp(class, "Audio/Source", 12));
    g->name = strdup(name ? name : "");
    g->description = strdup(description ? description : name ? name : "");
    g->priority = priority ? atoi(priority) : 0;
    g->client = number(look_up(props, PW_KEY_CLIENT_ID));
    if (c->describes_nodes && g->is_device) pipewire_describe(g);
    else if (c->describes_nodes) pipewire_watch_player(g);
  } else if (!strcmp(type, PW_TYPE_INTERFACE_Port)) {
    const char *direction = look_up(props, PW_KEY_PORT_DIRECTION);
    const char *format = look_up(props, PW_KEY_FORMAT_DSP);
    if (format && !strstr(format, "audio")) goto ignored;
    g->kind = GlobalPort;
    g->node = number(look_up(props, PW_KEY_NODE_ID));
    g->port = number(look_up(props, PW_KEY_PORT_ID));
    g->is_input = direction && !strcmp(direction, "in");
  } else if (c->describes_nodes && !strcmp(type, PW_TYPE_INTERFACE_Link)) {
    g->kind = GlobalLink;
    g->node = number(look_up(props, PW_KEY_LINK_INPUT_NODE));
    g->player = number(look_up(props, PW_KEY_LINK_OUTPUT_NODE));
  } else if (c->describes_nodes && !strcmp(type, PW_TYPE_INTERFACE_Client)) {
    g->kind = GlobalClient;
    g->process = number(look_up(props, PW_KEY_SEC_PID));
  } else if (!strcmp(type, PW_TYPE_INTERFACE_Metadata)) {
    const char *name = look_up(props, PW_KEY_METADATA_NAME);
    bool is_default = name && !strcmp(name, "default");
    if (!is_default && !(name && !strcmp(name, "settings"))) goto ignored;
    g->kind = GlobalMetadata;
    // The session manager creates it.
    if (is_default) c->settings.has_session_manager = g->is_device = true;
    g->proxy = pw_registry_bind(c->registry, id, type, PW_VERSION_METADATA, 0);
    if (!g->proxy) goto ignored;
    *(is_default ? &c->default_metadata : &c->settings_metadata) = g->proxy;
    pw_metadata_add_listener((struct pw_metadata *)g->proxy, &g->listener, &metadata_events, g);
  } else {
    goto ignored;
  }
  g->next = c->globals;
  c->globals = g;
  if (g->kind != GlobalClient) notify_changed(c);
  return;
ignored:
  free(g);
}

static void drop(Global *g) {
  if (g->proxy) {
    spa_hook_remove(&g->listener);
    pw.pw_proxy_destroy(g->proxy);
  }
  pipewire_free_info(g);
  free(g->name);
  free(g->description);
  free(g);
}

static void global_removed(void *data, uint32_t id) {
  PipeWireConnection *c = data;
  for (Global **place = &c->globals; *place; place = &(*place)->next) {
    Global *g = *place;
    if (g->id != id) continue;
    if (g->kind == GlobalMetadata && g->is_device) {
      c->settings.has_session_manager = false;
      c->default_metadata = NULL;
      replace(&c->default_sink, NULL);
      replace(&c->default_source, NULL);
    }
    if (g->proxy && g->proxy == c->settings_metadata) c->settings_metadata = NULL;
    const bool is_client = g->kind == GlobalClient;
    *place = g->next;
    drop(g);
    if (!is_client) notify_changed(c);
    return;
  }
}

static const struct pw_registry_events registry_events = {
  PW_VERSION_REGISTRY_EVENTS, .global = global_added, .global_remove = global_removed};

const Global *pipewire_find_node(PipeWireConnection *c, const char *name, bool is_sink) {
  for (const Global *g = c->globals; g; g = g->next) {
    if (g->kind == GlobalNode && g->is_device && g->is_sink == is_sink && !strcmp(g->name, name)) return g;
  }
  return NULL;
}

const Global *pipewire_find_port(PipeWireConnection *c, uint32_t node, bool is_input,
                                 uint32_t index) {
  // Finds the port with `index` lower-numbered ports before it.
  for (const Global *g = c->globals; g; g = g->next) {
    if (g->kind != GlobalPort || g->node != node || g->is_input != is_input) continue;
    uint32_t before = 0;
    for (const Global *o = c->globals; o; o = o->next) {
      before += o->kind == GlobalPort && o->node == node && o->is_input == is_input &&
                o->port < g->port;
    }
    if (before == index) return g;
  }
  return NULL;
}

static uint32_t port_count(PipeWireConnection *c, uint32_t node, bool is_input) {
  uint32_t count = 0;
  for (const Global *g = c->globals; g; g = g->next) {
    count += g->kind == GlobalPort && g->node == node && g->is_input == is_input;
  }
  return count < PipeWireMaximumChannels ? count : PipeWireMaximumChannels;
}

// MARK: Connection

static void core_done(void *data, uint32_t id, int sequence) {
  PipeWireConnection *c = data;
  if (id != PW_ID_CORE) return;
  c->done = sequence;
  pw.pw_thread_loop_signal(c->loop, false);
}

static void core_error(void *data, uint32_t id, int sequence, int result, const char *message) {
  (void)sequence;
  PipeWireConnection *c = data;
  // Errors of single objects are reported here too. Only those of the connection end it.
  if (id != PW_ID_CORE || !c->is_alive || (result != -EPIPE && result != -ECONNRESET)) return;
  c->is_alive = false;
  snprintf(c->reason, sizeof c->reason, "the PipeWire server is gone (%s)", message);
  pw.pw_thread_loop_signal(c->loop, false);
  if (c->observer.died) c->observer.died(c->observer.context, c->reason);
}

static const struct pw_core_events core_events = {
  PW_VERSION_CORE_EVENTS, .done = core_done, .error = core_error};

bool pipewire_synchronise(PipeWireConnection *c) {
  struct timespec until;
  pw.pw_thread_loop_get_time(c->loop, &until, 2 * SPA_NSEC_PER_SEC);
  int sequence = pw_core_sync(c->core, PW_ID_CORE, 0);
  while (c->is_alive && c->done != sequence) {
    if (pw.pw_thread_loop_timed_wait_full(c->loop, &until) < 0) {
      snprintf(c->reason, sizeof c->reason, "the PipeWire server does not answer");
      return false;
    }
  }
  return c->is_alive;
}

// Threads of the library inherit the signals blocked here, because signals belong to the program's
// threads.
static void block_signals(sigset_t *before) {
  sigset_t blocked;
  sigfillset(&blocked);
  const int open[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  for (size_t i = 0; i < LIBRARY_COUNT(open); i++) sigdelset(&blocked, open[i]);
  pthread_sigmask(SIG_SETMASK, &blocked, before);
}

static struct pw_context *make_context(PipeWireConnection *c) {
  struct pw_loop *loop = pw.pw_thread_loop_get_loop(c->loop);
  // The module that requests real-time priority. Newer servers name it in the common configuration.
  struct pw_properties *props =
    pw.pw_properties_new(PW_KEY_CONFIG_NAME, "client-rt.conf", NULL);
  struct pw_context *context = pw.pw_context_new(loop, props, 0);
  return context ? context : pw.pw_context_new(loop, NULL, 0);
}

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value && *value;
}

// The library warns about missing parts if no server was ever set up. Those who want to read that
// set AUDIOTOOLBOX_LOG. If the program has chosen a log level, it stays.
static void silence_library(void) {
  const char *log = getenv("AUDIOTOOLBOX_LOG");
  if (log && *log && strcmp(log, "0")) return;
  if (is_set("PIPEWIRE_DEBUG") || *pw.pw_log_level != SPA_LOG_LEVEL_WARN) return;
  pw.pw_log_set_level(SPA_LOG_LEVEL_NONE);
}

/// Whether there is a socket where the library looks for it. Trying with a client would first read
/// its configuration and load modules.
static bool may_have_server(void) {
  const char *remote = is_set("PIPEWIRE_REMOTE") ? getenv("PIPEWIRE_REMOTE") : "pipewire-0";
  // Only the library can parse a list of names.
  if (strpbrk(remote, "[{,")) return true;
  if (*remote == '/') return access(remote, F_OK) == 0;
  const char *folders[] = {getenv("PIPEWIRE_RUNTIME_DIR"), getenv("XDG_RUNTIME_DIR"), getenv("HOME"),
                           getenv("USERPROFILE"), "/run/pipewire"};
  for (size_t i = 0; i < LIBRARY_COUNT(folders); i++) {
    char path[4096];
    if (!folders[i] || !*folders[i]) continue;
    snprintf(path, sizeof path, "%s/%s", folders[i], remote);
    if (access(path, F_OK) == 0) return true;
  }
  return false;
}

PipeWireConnection *pipewire_connect(PipeWireObserver observer, char *reason, uint32_t size) {
  if (!library_load(&library)) {
    snprintf(reason, size, "%s", library.reason);
    return NULL;
  }
  if (!may_have_server()) {
    snprintf(reason, size, "no PipeWire server is running");
    return NULL;
  }
  PipeWireConnection *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->observer = observer;
  c->is_alive = true;
  c->describes_nodes = observer.changed != NULL;
  c->settings = (PipeWireSettings){.rate = 48000, .quantum = 1024, .minimum_quantum = 32,
                                   .maximum_quantum = 2048, .default_rate = 48000};
  snprintf(c->reason, sizeof c->reason, "no PipeWire server is running");
  sigset_t before;
  block_signals(&before);
  pw.pw_init(NULL, NULL);
  silence_library();
  c->loop = pw.pw_thread_loop_new("audio-pipewire", NULL);
  c->context = c->loop ? make_context(c) : NULL;
  if (c->context && pw.pw_thread_loop_start(c->loop) == 0) {
    pw.pw_thread_loop_lock(c->loop);
    c->core = pw.pw_context_connect(c->context, NULL, 0);
    bool is_ready = false;
    if (c->core) {
      pw_core_add_listener(c->core, &c->core_listener, &core_events, c);
      c->registry = pw_core_get_registry(c->core, PW_VERSION_REGISTRY, 0);
      pw_registry_add_listener(c->registry, &c->registry_listener, &registry_events, c);
      // The second time waits for the contents of the metadata objects that the first has found.
      is_ready = pipewire_synchronise(c) && pipewire_synchronise(c);
    }
    pw.pw_thread_loop_unlock(c->loop);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (is_ready) return c;
  } else {
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  snprintf(reason, size, "%s", c->reason);
  c->observer = (PipeWireObserver){0};
  pipewire_disconnect(c);
  return NULL;
}

void pipewire_close_core(PipeWireConnection *c) {
  c->observer = (PipeWireObserver){0};
  while (c->globals) {
    Global *g = c->globals;
    c->globals = g->next;
    drop(g);
  }
  if (c->registry) {
    spa_hook_remove(&c->registry_listener);
    pw.pw_proxy_destroy((struct pw_proxy *)c->registry);
    c->registry = NULL;
  }
  if (c->core) {
    spa_hook_remove(&c->core_listener);
    pw.pw_core_disconnect(c->core);
    c->core = NULL;
  }
}

void pipewire_disconnect(PipeWireConnection *c) {
  if (!c->loop) {
    free(c);
    return;
  }
  pw.pw_thread_loop_lock(c->loop);
  pipewire_close_core(c);
  pw.pw_thread_loop_unlock(c->loop);
  pw.pw_thread_loop_stop(c->loop);
  if (c->context) pw.pw_context_destroy(c->context);
  pw.pw_thread_loop_destroy(c->loop);
  free(c->default_sink);
  free(c->default_source);
  free(c);
}

bool pipewire_is_alive(PipeWireConnection *c) {
  pw.pw_thread_loop_lock(c->loop);
  bool is_alive = c->is_alive;
  pw.pw_thread_loop_unlock(c->loop);
  return is_alive;
}

void pipewire_visit(PipeWireConnection *c, void *context, void (*visit)(void *, const PipeWireNode *)) {
  pw.pw_thread_loop_lock(c->loop);
  for (const Global *g = c->globals; g; g = g->next) {
    if (g->kind != GlobalNode || !g->is_device) continue;
    const char *standard = g->is_sink ? c->default_sink : c->default_source;
    PipeWireNode node = g->info;
    node.id = g->id;
    node.name = g->name;
    node.description = g->description;
    node.is_sink = g->is_sink;
    node.playback_count = g->is_sink ? port_count(c, g->id, true) : 0;
    node.capture_count = g->is_sink ? 0 : port_count(c, g->id, false);
    node.monitor_count = g->is_sink ? port_count(c, g->id, false) : 0;
    node.is_default = standard && !strcmp(standard, g->name);
    node.has_other_players = g->is_sink && pipewire_others_play(c, g->id);
    node.priority = g->priority;
    visit(context, &node);
  }
  pw.pw_thread_loop_unlock(c->loop);
}

PipeWireSettings pipewire_settings(PipeWireConnection *c) {
  pw.pw_thread_loop_lock(c->loop);
  PipeWireSettings settings = c->settings;
  if (c->forced_rate) settings.rate = c->forced_rate;
  if (c->forced_quantum) settings.quantum = c->forced_quantum;
  settings.is_quantum_forced = c->forced_quantum != 0;
  pw.pw_thread_loop_unlock(c->loop);
  return settings;
}

#else
#include "PipeWire.h"

#include <stdio.h>

// Built where the headers of PipeWire are missing.
PipeWireConnection *pipewire_connect(PipeWireObserver observer, char *reason, uint32_t size) {
  (void)observer;
  snprintf(reason, size, "this library was built without PipeWire's headers "
                         "(package libpipewire-0.3-dev)");
  return NULL;
}
void pipewire_disconnect(PipeWireConnection *c) { (void)c; }
bool pipewire_is_alive(PipeWireConnection *c) { return (void)c, false; }
void pipewire_visit(PipeWireConnection *c, void *context, void (*visit)(void *, const PipeWireNode *)) {
  (void)c, (void)context, (void)visit;
}
PipeWireSettings pipewire_settings(PipeWireConnection *c) { return (void)c, (PipeWireSettings){0}; }
#endif
