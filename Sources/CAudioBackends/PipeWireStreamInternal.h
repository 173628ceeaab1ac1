// SPDX-License-Identifier: Apache-2.0
// Private to PipeWireStream.c, PipeWireCycles.c and PipeWireProfile.c: the fields of a stream.
#pragma once
#include "PipeWireLibrary.h"

#ifdef HAS_PIPEWIRE
#include <stdatomic.h>

enum { MaximumFrames = 16384 };

/// One direction of a stream.
typedef struct Endpoint {
  /// The node that it is linked to, 0 until that node exists, and its name for messages.
  uint32_t node;
  char *name;
  uint32_t channels;
  void *ports[PipeWireMaximumChannels];
  struct pw_proxy *links[PipeWireMaximumChannels];
  float *buffers[PipeWireMaximumChannels];
  /// The substitute for the buffer of a port that is not linked.
  float *spare;
  /// The latency to the analog signal is the sum of these three.
  double latency_cycles;
  double latency_frames;
  double latency_nanoseconds;
} Endpoint;

struct PipeWireStream {
  PipeWireSetup setup;
  PipeWireConnection *connection;
  struct pw_stream *stream;
  struct pw_filter *filter;
  struct spa_hook listener;
  Endpoint playback;
  Endpoint capture;
  bool is_lost;
  _Atomic(struct spa_io_position *) position;
  /// Wakes the loop after the graph has changed its rate or cycle size, as the thread of the cycles
  /// saw it.
  struct spa_source *graph_event;
  atomic_uint rate;
  atomic_uint duration;
  uint64_t next_position;
  /// The driving clock.
  atomic_uint clock;
  /// The object that receives the server's profiles, after they were first requested, and the gaps
  /// of the driving clock that the server has counted since.
  struct pw_proxy *profiler;
  struct spa_hook profiler_listener;
  bool has_profile;
  uint32_t counted_clock;
  int32_t counted;
  int64_t gaps;
  atomic_int policy;
  atomic_int priority;
};

// Called by the library for each cycle. [render thread]
void pipewire_stream_process(void *stream);
void pipewire_filter_process(void *stream, struct spa_io_position *position);

/// Stops receiving profiles. [loop locked]
void pipewire_end_profile(PipeWireStream *stream);
#endif
