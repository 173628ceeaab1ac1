// SPDX-License-Identifier: Apache-2.0
// The time of a library for converting the rate of one channel of noise: nanoseconds of this thread
// per output sample, the median of several rounds, one line for each of its qualities.
//
//   rates FROM TO FRAMES    with PEER_SOXR, PEER_SAMPLERATE, PEER_SPEEXDSP or PEER_SWRESAMPLE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { INPUT = 16384, MOST = 8 * INPUT, ROUNDS = 21 };
static float noise[INPUT], out[MOST];
static int from, to;

#ifdef PEER_SOXR
#include <soxr.h>
static const char *names[] = {"libsoxr LQ", "libsoxr HQ", "libsoxr VHQ", 0};
static void *make(int index) {
  const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  const unsigned long recipes[] = {SOXR_LQ, SOXR_HQ, SOXR_VHQ};
  const soxr_quality_spec_t quality = soxr_quality_spec(recipes[index], 0);
  const soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
  return soxr_create(from, to, 1, 0, &io, &quality, &runtime);
}
static long convert(void *peer, const float *in, long frames) {
  size_t read, made;
  soxr_process(peer, in, (size_t)frames, &read, out, MOST, &made);
  return (long)made;
}
#endif

#ifdef PEER_SAMPLERATE
#include <samplerate.h>
static const char *names[] = {
    "libsamplerate fastest", "libsamplerate medium", "libsamplerate best", 0};
static void *make(int index) {
  const int kinds[] = {SRC_SINC_FASTEST, SRC_SINC_MEDIUM_QUALITY, SRC_SINC_BEST_QUALITY};
  int error;
  return src_new(kinds[index], 1, &error);
}
static long convert(void *peer, const float *in, long frames) {
  SRC_DATA data = {.data_in = in, .data_out = out, .input_frames = frames, .output_frames = MOST};
  data.src_ratio = (double)to / from;
  src_process(peer, &data);
  return data.output_frames_gen;
}
#endif

#ifdef PEER_SPEEXDSP
#include <speex/speex_resampler.h>
static const char *names[] = {"speexdsp 4", "speexdsp 10", 0};
static void *make(int index) {
  int error;
  return speex_resampler_init(1, (unsigned)from, (unsigned)to, index ? 10 : 4, &error);
}
static long convert(void *peer, const float *in, long frames) {
  spx_uint32_t read = (spx_uint32_t)frames, made = MOST;
  speex_resampler_process_float(peer, 0, in, &read, out, &made);
  return made;
}
#endif

#ifdef PEER_SWRESAMPLE
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
static const char *names[] = {"libswresample, default", "libswresample, 128 taps", 0};
static void *make(int index) {
  SwrContext *context = 0;
  AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
  swr_alloc_set_opts2(&context, &mono, AV_SAMPLE_FMT_FLTP, to, &mono, AV_SAMPLE_FMT_FLTP, from, 0, 0);
  if (index) av_opt_set_int(context, "filter_size", 128, 0);
  return swr_init(context) < 0 ? 0 : context;
}
static long convert(void *peer, const float *in, long frames) {
  const uint8_t *source = (const uint8_t *)in;
  uint8_t *target = (uint8_t *)out;
  return swr_convert(peer, &target, MOST, &source, (int)frames);
}
#endif

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **words) {
  if (count != 4) return 64;
  from = atoi(words[1]), to = atoi(words[2]);
  const long frames = atol(words[3]);
  for (int i = 0; i < INPUT; i++) noise[i] = (float)rand() / (float)RAND_MAX - 0.5f;
  for (int index = 0; names[index]; index++) {
    void *peer = make(index);
    if (!peer) return 1;
    double rounds[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
      const double start = now();
      long made = 0;
      // Long enough to average over work that comes in bursts.
      for (int turn = 0; turn < 4; turn++)
        for (long i = 0; i + frames <= INPUT; i += frames) made += convert(peer, noise + i, frames);
      if (round >= 0) rounds[round] = (now() - start) / (double)made;
    }
    qsort(rounds, ROUNDS, sizeof *rounds, ascending);
    printf("%s\t%.4f\n", names[index], rounds[ROUNDS / 2]);
  }
}
