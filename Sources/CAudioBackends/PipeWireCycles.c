// SPDX-License-Identifier: Apache-2.0
// The work of libpipewire's own thread for a stream, cycle by cycle.
#define _GNU_SOURCE
#include "PipeWireStreamInternal.h"

#ifdef HAS_PIPEWIRE
#include <sched.h>
#include <string.h>

static void note_thread(PipeWireStream *s) {
  if (atomic_load_explicit(&s->policy, memory_order_relaxed) >= 0) return;
  struct sched_param parameters = {0};
  int policy = 0;
  pthread_getschedparam(pthread_self(), &policy, &parameters);
  atomic_store(&s->priority, parameters.sched_priority);
  // Without the flag that child processes do not inherit the policy.
  atomic_store(&s->policy, policy & ~SCHED_RESET_ON_FORK);
}

static void note_graph(PipeWireStream *s, PipeWireCycle *cycle) {
  // A gap of more than a second means another driver's clock.
  uint64_t gap = cycle->position - s->next_position;
  if (s->next_position && cycle->duration && gap < cycle->rate) cycle->missed = (uint32_t)gap / cycle->duration;
  s->next_position = cycle->position + cycle->duration;
  if (atomic_load_explicit(&s->rate, memory_order_relaxed) == cycle->rate &&
      atomic_load_explicit(&s->duration, memory_order_relaxed) == cycle->duration) return;
  atomic_store(&s->rate, cycle->rate);
  atomic_store(&s->duration, cycle->duration);
  // This is one write to a descriptor that never blocks, and only after a change.
  pw_loop_signal_event(pw.pw_thread_loop_get_loop(s->connection->loop), s->graph_event);
}

static void run_cycle(PipeWireStream *s, const struct spa_io_position *position, uint32_t frames,
                      float **input, float **output) {
  PipeWireCycle cycle = {.frames = frames, .rate = s->setup.rate, .rate_scalar = 1,
                         .duration = frames, .input = input, .output = output,
                         .input_channels = input ? s->capture.channels : 0,
                         .output_channels = output ? s->playback.channels : 0};
  if (position) {
    const struct spa_io_clock *clock = &position->clock;
    cycle.position = clock->position;
    cycle.nanoseconds = clock->nsec;
    cycle.rate = clock->rate.denom;
    cycle.duration = (uint32_t)clock->duration;
    atomic_store_explicit(&s->clock, clock->id, memory_order_relaxed);
    note_graph(s, &cycle);
    if (clock->rate_diff > 0.5 && clock->rate_diff < 2) cycle.rate_scalar = clock->rate_diff;
  }
  s->setup.cycle(s->setup.context, &cycle);
}

void pipewire_stream_process(void *data) {
  PipeWireStream *s = data;
  note_thread(s);
  const bool plays = s->playback.channels > 0;
  Endpoint *endpoint = plays ? &s->playback : &s->capture;
  struct pw_buffer *buffer;
  while ((buffer = pw.pw_stream_dequeue_buffer(s->stream))) {
    struct spa_buffer *b = buffer->buffer;
    const struct spa_io_position *position = atomic_load_explicit(&s->position, memory_order_relaxed);
    uint32_t frames = plays ? MaximumFrames : 0;
    if (plays && buffer->requested) frames = (uint32_t)SPA_MIN(buffer->requested, MaximumFrames);
    else if (plays && position) frames = (uint32_t)SPA_MIN(position->clock.duration, MaximumFrames);
    bool fits = b->n_datas >= endpoint->channels;
    for (uint32_t i = 0; fits && i < endpoint->channels; i++) {
      struct spa_data *d = &b->datas[i];
      if (!d->data) fits = false;
      else if (plays) {
        frames = SPA_MIN(frames, d->maxsize / 4);
        endpoint->buffers[i] = d->data;
      } else {
        uint32_t offset = SPA_MIN(d->chunk->offset, d->maxsize);
        uint32_t count = SPA_MIN(d->chunk->size, d->maxsize - offset) / 4;
        frames = i == 0 ? count : SPA_MIN(frames, count);
        endpoint->buffers[i] = SPA_PTROFF(d->data, offset, float);
      }
    }
    for (uint32_t i = 0; plays && i < b->n_datas; i++) {
      b->datas[i].chunk->offset = 0;
      b->datas[i].chunk->stride = 4;
      b->datas[i].chunk->size = fits ? frames * 4 : 0;
      // A stream uses only its own channels. Further ones are silent.
      if (fits && i >= endpoint->channels) memset(b->datas[i].data, 0, frames * 4);
    }
    if (fits && frames > 0) {
      run_cycle(s, position, frames, plays ? NULL : endpoint->buffers, plays ? endpoint->buffers : NULL);
    }
    buffer->size = frames;
    pw.pw_stream_queue_buffer(s->stream, buffer);
    if (plays) return;
  }
}

static float **dsp_buffers(Endpoint *endpoint, uint32_t frames) {
  if (endpoint->channels == 0) return NULL;
  for (uint32_t i = 0; i < endpoint->channels; i++) {
    float *buffer = pw.pw_filter_get_dsp_buffer(endpoint->ports[i], frames);
    endpoint->buffers[i] = buffer ? buffer : endpoint->spare + i * MaximumFrames;
  }
  return endpoint->buffers;
}

void pipewire_filter_process(void *data, struct spa_io_position *position) {
  PipeWireStream *s = data;
  note_thread(s);
  const uint32_t frames = (uint32_t)position->clock.duration;
  if (frames == 0 || frames > MaximumFrames) return;
  float **input = dsp_buffers(&s->capture, frames);
  float **output = dsp_buffers(&s->playback, frames);
  run_cycle(s, position, frames, input, output);
}
#endif
