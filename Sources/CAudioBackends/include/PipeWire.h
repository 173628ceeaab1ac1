// SPDX-License-Identifier: Apache-2.0
// PipeWire: what the server has, and streams. The library's own interface lives on macros, inline
// functions and tables of callbacks, which Swift cannot use: what is needed of it is here as functions.
//
// Everything but a cycle may wait for the loop of the connection, never for the server.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum {
  /// The most channels of one direction.
  PipeWireMaximumChannels = 64,
};

/// A connection to the server: a thread that listens, and what it has heard of.
typedef struct PipeWireConnection PipeWireConnection;

/// A stream or a filter on a connection of its own.
typedef struct PipeWireStream PipeWireStream;

/// Something that plays or captures. The texts are valid during the call that hands it out.
typedef struct PipeWireNode {
  /// Stays the same as long as the server knows the node.
  uint32_t id;
  /// Names it for ever.
  const char *name;
  const char *description;
  /// Ports to play into, to capture from, and those that repeat what is played.
  uint32_t playback_count;
  uint32_t capture_count;
  uint32_t monitor_count;
  bool is_sink;
  bool is_default;
  /// The session manager's order of preference; higher is better.
  int32_t priority;
  /// Whether the server's properties of the node are known; the rest is, then.
  bool is_described;
  /// Whether a clock drives it now.
  bool is_running;
  /// Frames per second of the graph that it runs in, as the server's profiles told when it was measured;
  /// 0: not known.
  uint32_t graph_rate;
  /// Amplitudes, one for each channel; 0 channels: the node has no volume.
  float volumes[PipeWireMaximumChannels];
  uint32_t volume_count;
  bool has_mute;
  bool is_muted;
  /// What the session manager says of the hardware; empty where it says nothing.
  const char *bus;
  const char *form;
  const char *icon_name;
  const char *maker;
  const char *model;
  const char *serial_number;
  const char *card;
} PipeWireNode;

/// How the server runs by default, in frames per second and frames of a cycle.
typedef struct PipeWireSettings {
  uint32_t rate;
  uint32_t quantum;
  uint32_t minimum_quantum;
  uint32_t maximum_quantum;
  /// Whether somebody fixed the quantum for all.
  bool is_quantum_forced;
  /// Whether a session manager runs: without one nothing is linked by itself.
  bool has_session_manager;
  /// Rates that the server may be switched to.
  uint32_t rates[16];
  uint32_t rate_count;
  /// The rate that it has while nobody asks for another.
  uint32_t default_rate;
} PipeWireSettings;

/// What a connection tells, on its own thread.
typedef struct PipeWireObserver {
  void *context;
  /// Nodes, ports, defaults or settings are not what they were.
  void (*changed)(void *context);
  /// The server is gone.
  void (*died)(void *context, const char *reason);
} PipeWireObserver;

/// Connects and waits until everything the server has is known, two seconds at most; null with the
/// reason. [control thread]
PipeWireConnection *pipewire_connect(PipeWireObserver observer, char *reason, uint32_t size);

/// Ends the connection; nothing is told afterwards. Not from its own thread. [control thread]
void pipewire_disconnect(PipeWireConnection *connection);

/// Whether the server still answers on it. [control thread]
bool pipewire_is_alive(PipeWireConnection *connection);

/// Where the server may run at several rates, waits for what it tells of those of the nodes that run, a
/// quarter of a second at most, and once for each time that they begin to run. [control thread]
void pipewire_measure(PipeWireConnection *connection);

/// Hands out all sinks and sources. [control thread]
void pipewire_visit(PipeWireConnection *connection, void *context,
                    void (*visit)(void *context, const PipeWireNode *node));

/// How the server runs. [control thread]
PipeWireSettings pipewire_settings(PipeWireConnection *connection);

/// Has the server give a node other volumes (amplitudes); false when there is no such node, or it has
/// none. [control thread]
bool pipewire_set_volumes(PipeWireConnection *connection, const char *node, bool is_sink,
                          const float *volumes, uint32_t count);

/// Has the server mute a node or not; false when there is no such node. [control thread]
bool pipewire_set_mute(PipeWireConnection *connection, const char *node, bool is_sink, bool is_muted);

/// Has the session manager make a node the default; false when there is none. [control thread]
bool pipewire_set_default(PipeWireConnection *connection, const char *node, bool is_sink);

/// Has the server run at a rate, for all programs; 0 takes that back. [control thread]
bool pipewire_set_rate(PipeWireConnection *connection, uint32_t rate);

/// One cycle: valid during the call.
typedef struct PipeWireCycle {
  uint32_t frames;
  /// Frames per second of the graph in this cycle.
  uint32_t rate;
  /// The graph's clock in frames, and the time at which the cycle began, on the monotonic clock.
  uint64_t position;
  uint64_t nanoseconds;
  /// Frames of the graph's cycle: for a stream of another rate not those it is asked for.
  uint32_t duration;
  /// The real rate over the nominal one.
  double rate_scalar;
  /// A buffer for each channel, null without that direction. Output is to be filled whole.
  float **input;
  float **output;
  uint32_t input_channels;
  uint32_t output_channels;
  /// Cycles of the graph since the one before that were left out.
  uint32_t missed;
} PipeWireCycle;

typedef enum PipeWireState {
  /// No cycle runs (yet).
  PipeWireStateIdle,
  /// Cycles run.
  PipeWireStateRunning,
  /// None will any more.
  PipeWireStateLost,
} PipeWireState;

/// What a stream is to be.
typedef struct PipeWireSetup {
  /// What it plays, as mixers show it beside the name of the program.
  const char *name;
  /// What it is for, by which a session manager ducks others or has them wait: "Music"; null: unsaid.
  const char *role;
  /// Names of nodes; null: that direction is not used. Of one direction only it may be a stream.
  const char *playback_node;
  const char *capture_node;
  /// Capture what a sink plays.
  bool captures_monitor;
  uint32_t playback_channels;
  uint32_t capture_channels;
  uint32_t rate;
  /// Frames of a cycle that are asked for.
  uint32_t quantum;
  /// Whether it is linked by itself, as a filter; else the session manager links it.
  bool is_filter;
  /// Whether the session manager must not link a stream to another node than the named one.
  bool is_pinned;
  /// Whether the graph is asked to run at `rate`, which the server grants or not.
  bool requests_rate;
  void *context;
  /// [render thread]
  void (*cycle)(void *context, const PipeWireCycle *cycle);
  /// On the connection's thread.
  void (*changed)(void *context, PipeWireState state, const char *reason);
  /// On the connection's thread: the graph's rate and cycle as they are from now on.
  void (*graph_changed)(void *context, uint32_t rate, uint32_t frames);
} PipeWireSetup;

/// Makes a stream on a connection of its own, which ends with it; null with the reason. Cycles begin
/// when it is linked. [control thread]
PipeWireStream *pipewire_stream_open(const PipeWireSetup *setup, char *reason, uint32_t size);

/// Ends it: no call follows. Not from the connection's own thread. [control thread]
void pipewire_stream_close(PipeWireStream *stream);

/// What is missing for its links; empty when nothing is. [control thread]
void pipewire_stream_missing(PipeWireStream *stream, char *text, uint32_t size);

/// Seconds between a cycle and the world, as the server tells. [control thread]
double pipewire_stream_latency(PipeWireStream *stream, bool is_output);

/// Cycles that the server's profiler tells of, since this was first asked for: gaps of the clock that
/// drives the stream, and cycles that the stream had not finished; -1 while it has not told. [control
/// thread]
int64_t pipewire_stream_gaps(PipeWireStream *stream);

/// The scheduling of the thread of cycles, after the first one: the policy and the priority; -1 before.
/// [any thread]
int pipewire_stream_policy(PipeWireStream *stream, int *priority);
