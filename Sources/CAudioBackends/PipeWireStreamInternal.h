// SPDX-License-Identifier: Apache-2.0
// Private to PipeWireStream*.c: the inside of a stream.
#pragma once
#include "PipeWireLibrary.h"

#ifdef HAS_PIPEWIRE
#include <stdatomic.h>

enum { MaximumFrames = 16384 };

/// One direction of a stream.
typedef struct Side {
  /// The node that it is linked to; 0 until it was there. Its name, for messages.
  uint32_t node;
  char *name;
  uint32_t channels;
  void *ports[PipeWireMaximumChannels];
  struct pw_proxy *links[PipeWireMaximumChannels];
  float *buffers[PipeWireMaximumChannels];
  /// What stands in for the buffer of a port that is not linked.
  float *spare;
  /// To the world, the sum of the three.
  double latency_cycles;
  double latency_frames;
  double latency_nanoseconds;
} Side;

struct PipeWireStream {
  PipeWireSetup setup;
  PipeWireConnection *connection;
  struct pw_stream *stream;
  struct pw_filter *filter;
  struct spa_hook listener;
  Side playback;
  Side capture;
  bool is_lost;
  _Atomic(struct spa_io_position *) position;
  /// Wakes the loop when the graph has changed its rate or cycle, as the thread of cycles saw them.
  struct spa_source *graph_event;
  atomic_uint rate;
  atomic_uint duration;
  uint64_t next_position;
  /// The clock that drives it.
  atomic_uint clock;
  /// Where the server's profiles come, after somebody has asked for what they tell: gaps that it has
  /// counted since, of that clock.
  struct pw_proxy *profiler;
  struct spa_hook profiler_listener;
  bool has_profile;
  uint32_t counted_clock;
  int32_t counted;
  int64_t gaps;
  atomic_int policy;
  atomic_int priority;
};

// What the library calls for each cycle. [render thread]
void pipewire_stream_process(void *stream);
void pipewire_filter_process(void *stream, struct spa_io_position *position);

/// Lets go of the server's profiles. [loop locked]
void pipewire_end_profile(PipeWireStream *stream);
#endif
