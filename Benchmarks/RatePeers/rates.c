// SPDX-License-Identifier: Apache-2.0
// A library for converting sample rates behind one set of functions, which the benchmark calls in turns
// with its own: compiled with PEER_SOXR, PEER_SAMPLERATE, PEER_SPEEXDSP or PEER_SWRESAMPLE. Sound is
// interleaved; no input ends it.
#ifdef PEER_SOXR
#include <soxr.h>
static const char *names[] = {"libsoxr HQ", "libsoxr VHQ", 0};
static void *make(int index, int from, int to, int channels) {
  const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  const unsigned long recipes[] = {SOXR_HQ, SOXR_VHQ};
  const soxr_quality_spec_t quality = soxr_quality_spec(recipes[index], 0);
  const soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
  return soxr_create(from, to, (unsigned)channels, 0, &io, &quality, &runtime);
}
static long convert(void *peer, const float *in, long frames, float *out, long room) {
  size_t read, made;
  soxr_process(peer, in, (size_t)frames, &read, out, (size_t)room, &made);
  return (long)made;
}
static void end(void *peer) { soxr_delete(peer); }
#endif

#ifdef PEER_SAMPLERATE
#include <samplerate.h>
#include <stdlib.h>
static const char *names[] = {"libsamplerate medium", "libsamplerate best", 0};
typedef struct {
  SRC_STATE *state;
  double ratio;
} Converter;
static void *make(int index, int from, int to, int channels) {
  const int kinds[] = {SRC_SINC_MEDIUM_QUALITY, SRC_SINC_BEST_QUALITY};
  int error;
  Converter *made = malloc(sizeof *made);
  *made = (Converter){src_new(kinds[index], channels, &error), (double)to / from};
  return made;
}
static long convert(void *peer, const float *in, long frames, float *out, long room) {
  Converter *converter = peer;
  SRC_DATA data = {.data_in = in, .data_out = out, .input_frames = frames, .output_frames = room};
  data.src_ratio = converter->ratio;
  data.end_of_input = !in;
  if (!in) data.data_in = out;
  src_process(converter->state, &data);
  return data.output_frames_gen;
}
static void end(void *peer) {
  src_delete(((Converter *)peer)->state);
  free(peer);
}
#endif

#ifdef PEER_SPEEXDSP
#include <speex/speex_resampler.h>
static const char *names[] = {"speexdsp 10", 0};
static void *make(int index, int from, int to, int channels) {
  int error;
  (void)index;
  return speex_resampler_init((unsigned)channels, (unsigned)from, (unsigned)to, 10, &error);
}
static long convert(void *peer, const float *in, long frames, float *out, long room) {
  spx_uint32_t read = (spx_uint32_t)frames, made = (spx_uint32_t)room;
  if (!in) return 0;
  speex_resampler_process_interleaved_float(peer, in, &read, out, &made);
  return made;
}
static void end(void *peer) { speex_resampler_destroy(peer); }
#endif

#ifdef PEER_SWRESAMPLE
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
static const char *names[] = {"libswresample", 0};
static void *make(int index, int from, int to, int channels) {
  SwrContext *context = 0;
  AVChannelLayout layout;
  (void)index;
  av_channel_layout_default(&layout, channels);
  swr_alloc_set_opts2(&context, &layout, AV_SAMPLE_FMT_FLT, to, &layout, AV_SAMPLE_FMT_FLT, from, 0, 0);
  return swr_init(context) < 0 ? 0 : context;
}
static long convert(void *peer, const float *in, long frames, float *out, long room) {
  const uint8_t *source = (const uint8_t *)in;
  uint8_t *target = (uint8_t *)out;
  return swr_convert(peer, &target, (int)room, in ? &source : 0, in ? (int)frames : 0);
}
static void end(void *peer) {
  SwrContext *context = peer;
  swr_free(&context);
}
#endif

// The name of a quality; null after the last one.
const char *peer_name(int index) { return names[index]; }

// A converter of a quality; null if there is none.
void *peer_make(int index, int from, int to, int channels) { return make(index, from, to, channels); }

// Converts `frames` frames, or, without input, what is left. Returns how many frames it made.
long peer_convert(void *peer, const float *in, long frames, float *out, long room) {
  return convert(peer, in, frames, out, room);
}

void peer_end(void *peer) { end(peer); }
