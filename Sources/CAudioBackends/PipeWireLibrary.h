// SPDX-License-Identifier: Apache-2.0
// Private to PipeWire*.c: the library's functions as a table, and the fields of a connection.
#pragma once
#if __has_include(<pipewire/filter.h>)
#define HAS_PIPEWIRE 1
#include <pipewire/pipewire.h>
// Needs the header above.
#include <pipewire/extensions/metadata.h>
#include <pipewire/impl-module.h>
#include <pipewire/extensions/profiler.h>
#include <pipewire/filter.h>
#include <spa/param/audio/format-utils.h>
#include <spa/param/latency-utils.h>
#include <spa/param/profiler.h>
#include <spa/utils/json.h>

#include "Loader.h"
#include "PipeWire.h"

#define PIPEWIRE_FUNCTIONS(F) \
  F(pw_init) F(pw_log_level) F(pw_log_set_level) F(pw_thread_loop_new) F(pw_thread_loop_destroy) F(pw_thread_loop_start) \
  F(pw_thread_loop_stop) F(pw_thread_loop_lock) F(pw_thread_loop_unlock) \
  F(pw_thread_loop_signal) F(pw_thread_loop_get_loop) F(pw_thread_loop_get_time) \
  F(pw_thread_loop_timed_wait_full) F(pw_context_new) F(pw_context_destroy) \
  F(pw_context_connect) F(pw_context_load_module) F(pw_core_disconnect) F(pw_core_get_client) \
  F(pw_proxy_destroy) F(pw_proxy_get_bound_id) \
  F(pw_properties_new) \
  F(pw_properties_set) F(pw_properties_setf) F(pw_properties_free) F(pw_stream_new) \
  F(pw_stream_add_listener) F(pw_stream_connect) F(pw_stream_destroy) \
  F(pw_stream_dequeue_buffer) F(pw_stream_queue_buffer) F(pw_stream_get_time_n) \
  F(pw_stream_get_node_id) F(pw_filter_new) F(pw_filter_add_listener) F(pw_filter_add_port) \
  F(pw_filter_connect) F(pw_filter_destroy) F(pw_filter_get_dsp_buffer) \
  F(pw_filter_get_node_id)

typedef LIBRARY_TABLE(PIPEWIRE_FUNCTIONS) PipeWireFunctions;
extern PipeWireFunctions pw;

/// An object that the registry has reported.
typedef struct Global {
  struct Global *next;
  uint32_t id;
  enum { GlobalNode, GlobalPort, GlobalLink, GlobalClient, GlobalMetadata } kind;
  // For a node.
  char *name;
  char *description;
  bool is_sink;
  bool is_device;
  int32_t priority;
  /// The server's description of a sink or source.
  PipeWireNode info;
  /// Whether the rate of its graph was measured since it began to run.
  bool is_measured;
  /// The client that a node belongs to, and whether a node that is no device runs.
  uint32_t client;
  bool is_playing;
  /// The process of a client, or of a node if that differs. 0 if unknown.
  long process;
  // For a link: the node that plays. It plays to `node`.
  uint32_t player;
  // For a port.
  uint32_t node;
  uint32_t port;
  bool is_input;
  // For observed metadata.
  struct pw_proxy *proxy;
  struct spa_hook listener;
  struct PipeWireConnection *connection;
} Global;

struct PipeWireConnection {
  PipeWireObserver observer;
  struct pw_thread_loop *loop;
  struct pw_context *context;
  struct pw_core *core;
  struct spa_hook core_listener;
  struct pw_registry *registry;
  struct spa_hook registry_listener;
  Global *globals;
  char *default_sink;
  char *default_source;
  PipeWireSettings settings;
  /// The number of the server's profiler, 0 while it has none.
  uint32_t profiler;
  /// Whether the module that reads profiles is loaded.
  bool has_profiles;
  /// Whether the server has to describe nodes.
  bool describes_nodes;
  /// Metadata objects that can be written, null while there are none.
  struct pw_proxy *default_metadata;
  struct pw_proxy *settings_metadata;
  uint32_t forced_rate;
  uint32_t forced_quantum;
  int done;
  bool is_alive;
  char reason[128];
};

/// Destroys the objects of a connection and closes it on the server. `pipewire_disconnect` frees
/// the rest. [loop locked]
void pipewire_close_core(PipeWireConnection *connection);

/// Has the server describe a sink or source. [loop locked]
void pipewire_describe(Global *node);

/// Has the server report whether a node that is no device runs. [loop locked]
void pipewire_watch_player(Global *node);

/// Whether another process plays to a sink. [loop locked]
bool pipewire_others_play(PipeWireConnection *connection, uint32_t sink);

/// Frees the description of a node. [loop locked]
void pipewire_free_info(Global *node);

/// Waits until the server has answered everything so far. False if it does not. [loop locked]
bool pipewire_synchronise(PipeWireConnection *connection);

/// The node with a name among the sinks or sources. Null if there is none. [loop locked]
const Global *pipewire_find_node(PipeWireConnection *connection, const char *name, bool is_sink);

/// The n-th port of a node in one direction, in the order of their numbers. [loop locked]
const Global *pipewire_find_port(PipeWireConnection *connection, uint32_t node, bool is_input,
                                 uint32_t index);
#endif
