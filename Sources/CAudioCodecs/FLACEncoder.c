// SPDX-License-Identifier: Apache-2.0

#include "FLACEncoder.h"

#include <stdlib.h>
#include <string.h>

#include "Dispatch.h"
#include "FLACPrediction.h"
#include "FLACSums.h"
#include "Rounding.h"

#define INLINE static inline __attribute__((always_inline))

enum { CHANNELS = 8, LEFT_SIDE = 8, SIDE_RIGHT = 9, MID_SIDE = 10 };
// A block is cut into at most 1 << 6 partitions.
enum { PARTITION_ORDER = 6, PARTITIONS = 1 << PARTITION_ORDER };

// How a channel is stored.
typedef enum { CONSTANT, VERBATIM, PREDICTED } Kind;

// A channel of a block.
typedef struct {
  Kind kind;
  // Samples, without the zero bits that all of them end with.
  int32_t *samples;
  int depth, wasted;
  FLACPrediction prediction;
  // The differences from the prediction, folded: signs are the lowest bits.
  uint32_t *folded;
  int partitionOrder;
  uint8_t parameters[PARTITIONS];
  // At most so many bits.
  uint64_t bits;
} Channel;

struct FLACEncoder {
  FLACEncoderSetup setup;
  FLACAnalysis analysis;
  // For two channels, also their mean and their difference.
  Channel channels[CHANNELS];
  int32_t *memory;
  // The differences of the candidate.
  int32_t *residuals;
  uint8_t *packet;
  FLACSums sums;
};

// --- Bits -------------------------------------------------------------------------------------

typedef struct {
  // The lowest `count` bits have not been stored, fewer than 8.
  uint64_t bits;
  uint32_t count;
  uint8_t *next;
} Writer;

// Writes up to 56 bits.
INLINE void put(Writer *w, uint64_t value, uint32_t count) {
  w->bits = w->bits << count | value;
  w->count += count;
  uint64_t word = w->bits << (63 - w->count) << 1;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  memcpy(w->next, &word, sizeof word);
  w->next += w->count >> 3;
  w->count &= 7;
}

INLINE void put_signed(Writer *w, int32_t value, uint32_t count) {
  put(w, (uint32_t)value & ((1ULL << count) - 1), count);
}

// Zero bits, and a one.
static void put_unary(Writer *w, uint32_t zeros) {
  for (; zeros > 48; zeros -= 48) put(w, 0, 48);
  put(w, 1, zeros + 1);
}

// Rice codes of numbers.
INLINE void put_codes(Writer *writer, const uint32_t *folded, long count, const uint32_t parameter) {
  Writer w = *writer;
  const uint32_t one = 1U << parameter, mask = one - 1, low = parameter + 1;
  long i = 0;
  for (; i + 2 <= count; i += 2) {
    // Two codes usually fit in the bits that are written at once.
    const uint32_t a = folded[i], b = folded[i + 1];
    const uint32_t sizeA = (a >> parameter) + low, sizeB = (b >> parameter) + low;
    if (__builtin_expect(sizeA + sizeB <= 56, 1)) {
      put(&w, (uint64_t)(one | (a & mask)) << sizeB | one | (b & mask), sizeA + sizeB);
    } else {
      put_unary(&w, a >> parameter);
      put(&w, a & mask, parameter);
      put_unary(&w, b >> parameter);
      put(&w, b & mask, parameter);
    }
  }
  if (i < count) {
    put_unary(&w, folded[i] >> parameter);
    put(&w, folded[i] & mask, parameter);
  }
  *writer = w;
}

KERNEL_DISPATCHED
static void put_rice(Writer *w, const uint32_t *folded, long count, uint32_t parameter) {
  put_codes(w, folded, count, parameter);
}

// --- Partitions -------------------------------------------------------------------------------

// The parameter that needs the fewest bits for numbers of this sum, and how many these are at most.
INLINE uint64_t choose_parameter(uint64_t sum, uint64_t count, uint8_t *parameter) {
  *parameter = 0;
  if (sum <= count) return count + sum;
  const uint32_t most = 63 - (uint32_t)__builtin_clzll(sum / count);
  const uint64_t high = count * (most + 1) + (sum >> most);
  const uint64_t less = most > 0 ? count * most + (sum >> (most - 1)) : high + 1;
  // Half of the lowest bit that is cut off does not count, on average.
  const int isLess = less - count / 2 < high - count / 4 && most > 0;
  *parameter = (uint8_t)(isLess ? most - 1 : most);
  return isLess ? less : high;
}

// Folds residuals in place, and sums them for each of the smallest partitions.
KERNEL_DISPATCHED
static void fold(int32_t *residuals, long frames, long first, int partitions, uint64_t *sums) {
  const long size = frames / partitions;
  for (int p = 0; p < partitions; p++) {
    uint64_t sum = 0;
    for (long i = p == 0 ? first : p * size; i < (p + 1) * size; i++) {
      const uint32_t value = (uint32_t)residuals[i] << 1 ^ (uint32_t)(residuals[i] >> 31);
      residuals[i] = (int32_t)value;
      sum += value;
    }
    sums[p] = sum;
  }
}

// Folds the residuals of a channel, and chooses their partitions; returns their bits.
static uint64_t partition(Channel *c, int32_t *residuals, long frames) {
  const int order = c->prediction.order;
  int highest = 0;
  while (highest < PARTITION_ORDER && frames % (2L << highest) == 0 && frames >> (highest + 1) > order)
    highest++;
  uint64_t sums[PARTITIONS];
  fold(residuals, frames, order, 1 << highest, sums);
  uint64_t least = UINT64_MAX;
  for (int level = highest; level >= 0; level--) {
    const int count = 1 << level;
    uint8_t parameters[PARTITIONS];
    uint64_t bits = 0;
    for (int p = 0; p < count; p++) {
      const long size = (frames >> level) - (p == 0 ? order : 0);
      bits += 5 + choose_parameter(sums[p], (uint64_t)size, &parameters[p]);
      if (level > 0 && p % 2 == 1) sums[p / 2] = sums[p - 1] + sums[p];
    }
    if (bits >= least) continue;
    least = bits;
    c->partitionOrder = level;
    memcpy(c->parameters, parameters, (size_t)count);
  }
  return least;
}

// --- Channels ---------------------------------------------------------------------------------

// Takes a prediction if it is better than what the channel has.
static void try_prediction(FLACEncoder *e, Channel *c, const FLACPrediction *prediction, long frames) {
  if (prediction->order >= frames) return;
  if (!flac_residuals(prediction, c->samples, frames, c->depth, e->residuals)) return;
  Channel candidate = *c;
  candidate.kind = PREDICTED;
  candidate.prediction = *prediction;
  const uint64_t factors =
      prediction->isLinear ? 9 + (uint64_t)(prediction->order * prediction->precision) : 0;
  candidate.bits = 16 + (uint64_t)(c->wasted + prediction->order * c->depth) + factors +
                   partition(&candidate, e->residuals, frames);
  if (candidate.bits >= c->bits) return;
  // Their memory changes places with that of the channel.
  candidate.folded = (uint32_t *)e->residuals;
  e->residuals = (int32_t *)c->folded;
  *c = candidate;
}

KERNEL_DISPATCHED
static uint32_t all_bits(const int32_t *samples, long frames) {
  uint32_t bits = 0;
  for (long i = 0; i < frames; i++) bits |= (uint32_t)samples[i];
  return bits;
}

// Whether all samples are the same.
static int is_constant(const int32_t *samples, long frames) {
  for (long i = 1; i < frames; i++)
    if (samples[i] != samples[0]) return 0;
  return 1;
}

// Chooses how a channel of so many bits is stored.
static void choose(FLACEncoder *e, Channel *c, long frames, int depth) {
  const uint32_t bits = all_bits(c->samples, frames);
  const int quality = e->setup.quality;
  c->wasted = 0;
  c->depth = depth;
  c->kind = CONSTANT;
  c->bits = 8 + (uint64_t)depth;
  if (is_constant(c->samples, frames)) return;
  c->wasted = __builtin_ctz(bits);
  c->depth -= c->wasted;
  for (long i = 0; c->wasted > 0 && i < frames; i++) c->samples[i] >>= c->wasted;
  c->kind = VERBATIM;
  c->bits = 8 + (uint64_t)(c->wasted + c->depth * frames);
  // In the middle, predictions of 8 samples, as the level 5 of other encoders has them.
  const int order = quality <= 64 ? quality * 8 / 64 : FLAC_LARGEST_ORDER;
  if (order > 0 && frames > 4 * FLAC_LARGEST_ORDER) {
    const FLACPrediction linear = flac_linear_prediction(&e->analysis, c->samples, order, c->depth);
    if (linear.order > 0) try_prediction(e, c, &linear, frames);
  }
  uint64_t sum;
  const FLACPrediction fixed = flac_fixed_prediction(c->samples, frames, &sum);
  uint8_t parameter;
  if (choose_parameter(2 * sum, (uint64_t)frames, &parameter) * 7 / 8 < c->bits)
    try_prediction(e, c, &fixed, frames);
}

static void put_channel(Writer *w, const Channel *c, long frames) {
  const FLACPrediction *p = &c->prediction;
  const uint32_t depth = (uint32_t)c->depth;
  const int code = c->kind == CONSTANT   ? 0
                   : c->kind == VERBATIM ? 1
                   : p->isLinear         ? 31 + p->order
                                         : 8 + p->order;
  put(w, (uint64_t)(code << 1 | (c->wasted > 0)), 8);
  if (c->wasted > 0) put_unary(w, (uint32_t)c->wasted - 1);
  const long plain = c->kind == CONSTANT ? 1 : c->kind == VERBATIM ? frames : p->order;
  for (long i = 0; i < plain; i++) put_signed(w, c->samples[i], depth);
  if (c->kind != PREDICTED) return;
  if (p->isLinear) {
    put(w, (uint64_t)(p->precision - 1), 4);
    put_signed(w, p->shift, 5);
    for (int j = 0; j < p->order; j++) put_signed(w, p->factors[j], (uint32_t)p->precision);
  }
  const int count = 1 << c->partitionOrder;
  int isLong = 0;
  for (int i = 0; i < count; i++) isLong |= c->parameters[i] > 14;
  put(w, (uint64_t)isLong, 2);
  put(w, (uint64_t)c->partitionOrder, 4);
  const long size = frames >> c->partitionOrder;
  for (int i = 0; i < count; i++) {
    put(w, c->parameters[i], isLong ? 5 : 4);
    const long first = i == 0 ? p->order : i * size;
    put_rice(w, c->folded + first, (i + 1) * size - first, c->parameters[i]);
  }
}

// --- Frames -----------------------------------------------------------------------------------

KERNEL_DISPATCHED
static void split(const int32_t *in, int32_t *out, long frames, int channels, int bits) {
  for (long i = 0; i < frames; i++) out[i] = rounded(in[i * channels], bits) >> (32 - bits);
}

// Two channels at once, with their mean and their difference.
KERNEL_DISPATCHED
static void split_pair(const int32_t *in, int32_t *left, int32_t *right, int32_t *mean, int32_t *side,
                       long frames, int bits) {
  for (long i = 0; i < frames; i++) {
    const int32_t l = rounded(in[2 * i], bits) >> (32 - bits);
    const int32_t r = rounded(in[2 * i + 1], bits) >> (32 - bits);
    left[i] = l;
    right[i] = r;
    mean[i] = (l + r) >> 1;
    side[i] = l - r;
  }
}

// The cheapest way to store two channels, by the costs of both, their mean and their difference.
static int pair_code(const uint64_t *costs) {
  const uint64_t sums[] = {costs[0] + costs[1], costs[0] + costs[3], costs[3] + costs[1],
                           costs[2] + costs[3]};
  static const int codes[] = {1, LEFT_SIDE, SIDE_RIGHT, MID_SIDE};
  int best = 0;
  for (int i = 1; i < 4; i++)
    if (sums[i] < sums[best]) best = i;
  return codes[best];
}

// Chooses how two channels are stored; `pair` gets those that are.
static int choose_pair(FLACEncoder *e, const int32_t *samples, long frames, Channel **pair) {
  Channel *const c = e->channels;
  const int bits = e->setup.bits;
  split_pair(samples, c[0].samples, c[1].samples, c[2].samples, c[3].samples, frames, bits);
  const int isThorough = e->setup.quality > 64;
  uint64_t costs[4];
  for (int i = 0; i < 4; i++) {
    if (isThorough) choose(e, &c[i], frames, bits + (i == 3));
    costs[i] = isThorough ? c[i].bits : flac_roughness(c[i].samples, frames);
  }
  const int code = pair_code(costs);
  pair[0] = code == SIDE_RIGHT ? &c[3] : code == MID_SIDE ? &c[2] : &c[0];
  pair[1] = code == LEFT_SIDE || code == MID_SIDE ? &c[3] : &c[1];
  for (int i = 0; i < 2 && !isThorough; i++) choose(e, pair[i], frames, bits + (pair[i] == &c[3]));
  return code;
}

// The header, up to the number and with what follows it.
static void put_header(Writer *w, const FLACEncoder *e, int32_t frames, uint32_t number, int code) {
  static const int32_t rates[] = {0,     88200, 176400, 192000, 8000,  16000,
                                  22050, 24000, 32000,  44100,  48000, 96000};
  const int32_t rate = e->setup.rate, bits = e->setup.bits;
  int rateCode = 11, sizeCode = frames <= 256 ? 6 : 7;
  while (rateCode > 0 && rates[rateCode] != rate) rateCode--;
  if (rateCode == 0)
    rateCode = rate % 1000 == 0 && rate <= 255000 ? 12 : rate < 65536 ? 13 : rate % 10 == 0 ? 14 : 0;
  if (frames == 192) sizeCode = 1;
  for (int i = 2; i < 6; i++)
    if (frames == 576 << (i - 2)) sizeCode = i;
  for (int i = 8; i < 16; i++)
    if (frames == 256 << (i - 8)) sizeCode = i;
  const int depthCode = bits == 8 ? 1 : bits == 12 ? 2 : bits == 16 ? 4 : bits == 20 ? 5 : bits == 24 ? 6 : 0;
  put(w, 0xfff8, 16);
  put(w, (uint64_t)(sizeCode << 4 | rateCode), 8);
  put(w, (uint64_t)(code << 4 | depthCode << 1), 8);
  // As in UTF-8: bytes behind the first have six bits.
  int more = 0;
  while (more < 5 && number >> (more == 0 ? 7 : 5 * more + 6) > 0) more++;
  const uint32_t lead = more == 0 ? 0 : 0xff & ~(0x7fU >> more);
  put(w, lead | number >> (6 * more), 8);
  while (more-- > 0) put(w, 0x80 | (number >> (6 * more) & 0x3f), 8);
  if (sizeCode == 6) put(w, (uint64_t)(frames - 1), 8);
  if (sizeCode == 7) put(w, (uint64_t)(frames - 1), 16);
  if (rateCode == 12) put(w, (uint64_t)(rate / 1000), 8);
  if (rateCode > 12) put(w, (uint64_t)(rateCode == 13 ? rate : rate / 10), 16);
}

const uint8_t *flac_encode(FLACEncoder *e, const int32_t *samples, int32_t frames, uint32_t number,
                           long *size) {
  const int channels = e->setup.channels;
  // Has the memory for the longest frame already.
  flac_prepare(&e->analysis, frames);
  Channel *chosen[CHANNELS];
  int code = channels - 1;
  if (channels == 2) {
    code = choose_pair(e, samples, frames, chosen);
  } else {
    for (int c = 0; c < channels; c++) {
      chosen[c] = &e->channels[c];
      split(samples + c, chosen[c]->samples, frames, channels, e->setup.bits);
      choose(e, chosen[c], frames, e->setup.bits);
    }
  }
  Writer w = {0, 0, e->packet};
  put_header(&w, e, frames, number, code);
  put(&w, flac_header_sum(e->packet, w.next - e->packet), 8);
  for (int c = 0; c < channels; c++) put_channel(&w, chosen[c], frames);
  if (w.count > 0) put(&w, 0, 8 - w.count);
  put(&w, flac_sum(&e->sums, e->packet, w.next - e->packet), 16);
  *size = w.next - e->packet;
  return e->packet;
}

FLACEncoder *flac_encoder(const FLACEncoderSetup *setup) {
  FLACEncoder *e = calloc(1, sizeof *e);
  if (!e) return NULL;
  e->setup = *setup;
  const size_t frames = (size_t)setup->frames;
  const int count = setup->channels == 2 ? 4 : setup->channels;
  e->memory = malloc((2 * (size_t)count + 1) * frames * sizeof *e->memory);
  // No channel is larger than its samples.
  e->packet = malloc((size_t)setup->channels * (frames * (size_t)(setup->bits + 1) / 8 + 32) + 64);
  if (!e->memory || !e->packet || !flac_prepare(&e->analysis, setup->frames)) {
    flac_encoder_free(e);
    return NULL;
  }
  int32_t *next = e->memory;
  for (int i = 0; i < count; i++, next += 2 * frames) {
    e->channels[i].samples = next;
    e->channels[i].folded = (uint32_t *)next + frames;
  }
  e->residuals = next;
  flac_make_sums(&e->sums);
  return e;
}

void flac_encoder_free(FLACEncoder *e) {
  flac_analysis_free(&e->analysis);
  free(e->memory);
  free(e->packet);
  free(e);
}
