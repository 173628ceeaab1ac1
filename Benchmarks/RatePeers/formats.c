// SPDX-License-Identifier: Apache-2.0
// The time of libswresample for converting two channels of noise between interleaved integers and
// planar Float32: nanoseconds of this thread per sample, the median of several rounds, one line per
// pair.
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FRAMES = 512, CHANNELS = 2, CALLS = 400, ROUNDS = 21 };

typedef struct {
  const char *name;
  enum AVSampleFormat from, to;
  const char *dither;
  // Samples of 24 bits, which libswresample does not have: 32 bits, of which the lower byte is left out,
  // as the codec pcm_s24le does.
  int isPacked;
} Pair;

static const Pair pairs[] = {
    {"16 bits to Float32", AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_FLTP, 0},
    {"24 bits to Float32", AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_FLTP, 0, 1},
    {"32 bits to Float32", AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_FLTP, 0},
    {"16 bits from Float32", AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, 0},
    {"24 bits from Float32", AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S32, 0, 1},
    {"32 bits from Float32", AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S32, 0},
    {"16 bits with triangular dither from Float32", AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, "triangular"},
    {"16 bits with shaped dither from Float32", AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, "shibata"},
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void pack(const int32_t *in, uint8_t *out) {
  for (int i = 0; i < CHANNELS * FRAMES; i++) {
    out[3 * i] = (uint8_t)(in[i] >> 8);
    out[3 * i + 1] = (uint8_t)(in[i] >> 16);
    out[3 * i + 2] = (uint8_t)(in[i] >> 24);
  }
}

static void unpack(const uint8_t *in, int32_t *out) {
  for (int i = 0; i < CHANNELS * FRAMES; i++)
    out[i] = (int32_t)((uint32_t)in[3 * i] << 8 | (uint32_t)in[3 * i + 1] << 16 |
                       (uint32_t)in[3 * i + 2] << 24);
}

int main(void) {
  static float floats[CHANNELS][FRAMES], made[CHANNELS][FRAMES];
  static int32_t integers[CHANNELS * FRAMES], written[CHANNELS * FRAMES];
  static uint8_t packed[3 * CHANNELS * FRAMES];
  for (int i = 0; i < CHANNELS * FRAMES; i++) {
    floats[i % CHANNELS][i / CHANNELS] = (float)rand() / (float)RAND_MAX * 1.8f - 0.9f;
    integers[i] = rand();
  }
  for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
    const Pair *pair = &pairs[p];
    const int isDecoding = pair->to == AV_SAMPLE_FMT_FLTP;
    SwrContext *context = 0;
    AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
    swr_alloc_set_opts2(&context, &stereo, pair->to, 48000, &stereo, pair->from, 48000, 0, 0);
    if (pair->dither) av_opt_set(context, "dither_method", pair->dither, 0);
    if (swr_init(context) < 0) return 1;
    const uint8_t *channels[] = {(uint8_t *)floats[0], (uint8_t *)floats[1]};
    const uint8_t *frames[] = {(uint8_t *)integers};
    uint8_t *rooms[] = {(uint8_t *)made[0], (uint8_t *)made[1]};
    uint8_t *room[] = {(uint8_t *)written};
    double rounds[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
      const double start = now();
      for (int call = 0; call < CALLS; call++) {
        if (pair->isPacked && isDecoding) unpack(packed, integers);
        swr_convert(context, isDecoding ? rooms : room, FRAMES, isDecoding ? frames : channels, FRAMES);
        if (pair->isPacked && !isDecoding) pack(written, packed);
      }
      if (round >= 0) rounds[round] = (now() - start) / (CALLS * FRAMES * CHANNELS);
    }
    qsort(rounds, ROUNDS, sizeof *rounds, ascending);
    printf("%s\t%.4f\n", pair->name, rounds[ROUNDS / 2]);
    swr_free(&context);
  }
}
