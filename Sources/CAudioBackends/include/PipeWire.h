// SPDX-License-Identifier: Apache-2.0
// The nodes and settings of a PipeWire server, and streams. The library's own interface consists of
// macros, inline functions and tables of callbacks, which Swift cannot use. The needed part is
// provided here as functions.
//
// All functions except cycles may wait for the loop of the connection, but never for the server.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum {
  /// The maximum number of channels of one direction.
  PipeWireMaximumChannels = 64,
};

/// A connection to the server: a thread that receives its events, and the objects that they
/// describe.
typedef struct PipeWireConnection PipeWireConnection;

/// A stream or a filter on a connection of its own.
typedef struct PipeWireStream PipeWireStream;

/// A node that plays or captures. The texts are valid during the call that passes it.
typedef struct PipeWireNode {
  /// Constant as long as the server has the node.
  uint32_t id;
  /// The persistent name.
  const char *name;
  const char *description;
  /// The number of ports to play to, to capture from, and to monitor the playback.
  uint32_t playback_count;
  uint32_t capture_count;
  uint32_t monitor_count;
  bool is_sink;
  bool is_default;
  /// The session manager's priority. Higher is better.
  int32_t priority;
  /// Whether the server has described the node. The following fields are valid only then.
  bool is_described;
  /// Whether a clock drives it now.
  bool is_running;
  /// Whether another process plays to it now.
  bool has_other_players;
  /// The rate of its graph in frames per second, as measured from the server's profiles. 0 if
  /// unknown.
  uint32_t graph_rate;
  /// The amplitude of each channel. 0 channels: the node has no volume.
  float volumes[PipeWireMaximumChannels];
  uint32_t volume_count;
  bool has_mute;
  bool is_muted;
  /// The session manager's description of the hardware. Empty if unknown.
  const char *bus;
  const char *form;
  const char *icon_name;
  const char *maker;
  const char *model;
  const char *serial_number;
  const char *card;
} PipeWireNode;

/// The server's default rate in frames per second and cycle size in frames, and further settings.
typedef struct PipeWireSettings {
  uint32_t rate;
  uint32_t quantum;
  uint32_t minimum_quantum;
  uint32_t maximum_quantum;
  /// Whether the cycle size is forced for all.
  bool is_quantum_forced;
  /// Whether a session manager runs. Without one, nothing is linked automatically.
  bool has_session_manager;
  /// The rates that the server can switch to.
  uint32_t rates[16];
  uint32_t rate_count;
  /// The rate without any requests.
  uint32_t default_rate;
} PipeWireSettings;

/// Receives the events of a connection, on its own thread.
typedef struct PipeWireObserver {
  void *context;
  /// Nodes, ports, defaults or settings have changed.
  void (*changed)(void *context);
  /// The connection to the server was lost.
  void (*died)(void *context, const char *reason);
} PipeWireObserver;

/// Connects and waits, at most two seconds, until everything on the server is known. Null, with the
/// reason, if that fails. [control thread]
PipeWireConnection *pipewire_connect(PipeWireObserver observer, char *reason, uint32_t size);

/// Ends the connection. No event follows. Must not be called on its own thread. [control thread]
void pipewire_disconnect(PipeWireConnection *connection);

/// Whether the connection still works. [control thread]
bool pipewire_is_alive(PipeWireConnection *connection);

/// If the server may run at several rates, waits until it has reported the rates of the running
/// nodes, at most a quarter of a second, and once each time that they start to run. [control
/// thread]
void pipewire_measure(PipeWireConnection *connection);

/// Calls `visit` for each sink and source. [control thread]
void pipewire_visit(PipeWireConnection *connection, void *context,
                    void (*visit)(void *context, const PipeWireNode *node));

/// The server's settings. [control thread]
PipeWireSettings pipewire_settings(PipeWireConnection *connection);

/// Has the server set the volumes of a node (amplitudes). False if there is no such node, or it has
/// no volume. [control thread]
bool pipewire_set_volumes(PipeWireConnection *connection, const char *node, bool is_sink,
                          const float *volumes, uint32_t count);

/// Has the server mute or unmute a node. False if there is no such node. [control thread]
bool pipewire_set_mute(PipeWireConnection *connection, const char *node, bool is_sink, bool is_muted);

/// Has the session manager make a node the default. False if there is no session manager or no such
/// node. [control thread]
bool pipewire_set_default(PipeWireConnection *connection, const char *node, bool is_sink);

/// Forces the server's rate, for all programs. 0 removes the force. [control thread]
bool pipewire_set_rate(PipeWireConnection *connection, uint32_t rate);

/// One cycle, valid during the call.
typedef struct PipeWireCycle {
  uint32_t frames;
  /// Frames per second of the graph in this cycle.
  uint32_t rate;
  /// The graph's clock in frames, and the time at which the cycle began, on the monotonic clock.
  uint64_t position;
  uint64_t nanoseconds;
  /// The frames of the graph's cycle, which differ from `frames` if the stream has another rate.
  uint32_t duration;
  /// The real rate divided by the nominal rate.
  double rate_scalar;
  /// A buffer for each channel, null without that direction. The output must be filled completely.
  float **input;
  float **output;
  uint32_t input_channels;
  uint32_t output_channels;
  /// The number of cycles of the graph that were skipped since the last one.
  uint32_t missed;
} PipeWireCycle;

typedef enum PipeWireState {
  /// No cycle runs (yet).
  PipeWireStateIdle,
  /// Cycles run.
  PipeWireStateRunning,
  /// No cycle will run any more.
  PipeWireStateLost,
} PipeWireState;

/// The description of a stream.
typedef struct PipeWireSetup {
  /// The content, as mixers show it beside the name of the program.
  const char *name;
  /// The purpose, by which a session manager ducks or pauses other streams, such as "Music". Null:
  /// unspecified.
  const char *role;
  /// The names of the nodes. Null if that direction is not used. Only one of them may be set for a
  /// stream that is not a filter.
  const char *playback_node;
  const char *capture_node;
  /// Whether it captures what a sink plays.
  bool captures_monitor;
  uint32_t playback_channels;
  uint32_t capture_channels;
  uint32_t rate;
  /// The requested cycle size in frames.
  uint32_t quantum;
  /// Whether it is a filter, which this process links. Otherwise the session manager links it.
  bool is_filter;
  /// Whether the session manager must not link it to another node than the named one.
  bool is_pinned;
  /// Whether it requests that the graph runs at `rate`, which the server may refuse.
  bool requests_rate;
  void *context;
  /// [render thread]
  void (*cycle)(void *context, const PipeWireCycle *cycle);
  /// On the connection's thread.
  void (*changed)(void *context, PipeWireState state, const char *reason);
  /// The rate and cycle size of the graph have changed. On the connection's thread.
  void (*graph_changed)(void *context, uint32_t rate, uint32_t frames);
} PipeWireSetup;

/// Opens a stream on a connection of its own, which ends with it. Null, with the reason, if that
/// fails. Cycles begin when it is linked. [control thread]
PipeWireStream *pipewire_stream_open(const PipeWireSetup *setup, char *reason, uint32_t size);

/// Closes a stream. No call follows. Must not be called on the connection's own thread. [control
/// thread]
void pipewire_stream_close(PipeWireStream *stream);

/// Writes what is missing for its links, or an empty text. [control thread]
void pipewire_stream_missing(PipeWireStream *stream, char *text, uint32_t size);

/// The seconds between a cycle and the analog signal, as the server reports them. [control thread]
double pipewire_stream_latency(PipeWireStream *stream, bool is_output);

/// The number of gaps of the driving clock and of cycles that the stream had not finished, as the
/// server's profiler reports them since the first call. -1 until it has reported any. [control
/// thread]
int64_t pipewire_stream_gaps(PipeWireStream *stream);

/// The scheduling of the thread of the cycles: the policy and the priority. -1 before the first
/// cycle. [any thread]
int pipewire_stream_policy(PipeWireStream *stream, int *priority);
