// SPDX-License-Identifier: Apache-2.0
// libswresample's conversions of two channels between interleaved integers and planar Float32, which the
// benchmark calls in turns with its own.
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <stdlib.h>

enum { FRAMES = 512, CHANNELS = 2 };

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

static float floats[CHANNELS][FRAMES], made[CHANNELS][FRAMES];
static int32_t integers[CHANNELS * FRAMES], written[CHANNELS * FRAMES];
static uint8_t packed[3 * CHANNELS * FRAMES];

// The name of a conversion; null after the last one.
const char *peer_name(int index) {
  return (size_t)index < sizeof pairs / sizeof *pairs ? pairs[index].name : 0;
}

// Makes a conversion; null if there is none.
void *peer_make(int index) {
  const Pair *pair = &pairs[index];
  SwrContext *context = 0;
  AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
  for (int i = 0; i < CHANNELS * FRAMES; i++) {
    floats[i % CHANNELS][i / CHANNELS] = (float)rand() / (float)RAND_MAX * 1.8f - 0.9f;
    integers[i] = rand();
  }
  swr_alloc_set_opts2(&context, &stereo, pair->to, 48000, &stereo, pair->from, 48000, 0, 0);
  if (pair->dither) av_opt_set(context, "dither_method", pair->dither, 0);
  return swr_init(context) < 0 ? 0 : context;
}

// Converts 512 frames.
void peer_convert(int index, void *context) {
  const Pair *pair = &pairs[index];
  const int isDecoding = pair->to == AV_SAMPLE_FMT_FLTP;
  const uint8_t *channels[] = {(uint8_t *)floats[0], (uint8_t *)floats[1]};
  const uint8_t *frames[] = {(uint8_t *)integers};
  uint8_t *rooms[] = {(uint8_t *)made[0], (uint8_t *)made[1]};
  uint8_t *room[] = {(uint8_t *)written};
  if (pair->isPacked && isDecoding) unpack(packed, integers);
  swr_convert(context, isDecoding ? rooms : room, FRAMES, isDecoding ? frames : channels, FRAMES);
  if (pair->isPacked && !isDecoding) pack(written, packed);
}
