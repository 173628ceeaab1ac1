// SPDX-License-Identifier: Apache-2.0
//
// Every number of a packet is regarded as hostile: reads stop at the packet's end, and arithmetic
// wraps.

#include "FLACDecoder.h"

#include <stdlib.h>
#include <string.h>

#include "Dispatch.h"
#include "FLACSums.h"

#define INLINE static inline __attribute__((always_inline))

enum { CHANNELS = 8, LARGEST_ORDER = 32, PADDING = 32 };

struct FLACDecoder {
  // The packet, followed by zeros.
  uint8_t *bytes;
  long capacity;
  // Samples of each channel, and those of a difference of 32-bit channels.
  int32_t *samples;
  int64_t *wide;
  long frameCapacity;
  FLACSums sums;
};

static const char *const outOfMemory = "out of memory";
static const char *const cut = "the frame is cut";

// --- Bits -------------------------------------------------------------------------------------

typedef struct {
  // The next bits, the first one on top; at least `count` of them are valid.
  uint64_t bits;
  uint32_t count;
  // What has not been read; the memory has zeros behind the end.
  const uint8_t *next, *end;
  // From here on, all bits before the end have been used.
  const uint8_t *limit;
} Reader;

// Makes at least 56 bits valid; behind the end these are zeros.
INLINE void refill(Reader *r) {
  uint64_t word;
  memcpy(&word, r->next, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  r->bits |= word >> r->count;
  r->next += (63 - r->count) >> 3;
  r->count |= 56;
}

// Whether more bits have been used than there are.
INLINE int is_beyond(const Reader *r) { return (r->next - r->end) * 8 > (long)r->count; }

INLINE void drop(Reader *r, uint32_t count) {
  r->bits <<= count;
  r->count -= count;
}

// Up to 32 bits. At the end nothing is read any more.
INLINE uint32_t read_bits(Reader *r, uint32_t count) {
  if (r->next > r->limit) return 0;
  refill(r);
  const uint32_t value = (uint32_t)(r->bits >> 1 >> (63 - count));
  drop(r, count);
  return value;
}

// A signed number of up to 33 bits.
INLINE int64_t read_signed(Reader *r, uint32_t count) {
  if (count == 0) return 0;
  const uint64_t high = count > 32 ? read_bits(r, count - 32) : 0;
  const uint64_t value = high << 32 | read_bits(r, count > 32 ? 32 : count);
  return (int64_t)(value << (64 - count)) >> (64 - count);
}

// The number of zero bits before the next one, which is read, too; false at the end of the bytes.
static int read_unary(Reader *r, uint32_t *zeros) {
  *zeros = 0;
  for (;;) {
    if (r->next > r->limit) return 0;
    refill(r);
    const uint32_t run = r->bits ? (uint32_t)__builtin_clzll(r->bits) : 64;
    if (run < r->count) {
      drop(r, run);
      drop(r, 1);
      *zeros += run;
      return 1;
    }
    *zeros += r->count;
    drop(r, r->count);
  }
}

// --- Residuals --------------------------------------------------------------------------------

INLINE int32_t unfolded(uint32_t value) { return (int32_t)(value >> 1 ^ -(value & 1)); }

// Rice codes with a parameter, `group` of them after each refill, which usually fit in its 56 bits.
// False at the end of the bytes.
INLINE int read_groups(Reader *reader, int32_t *out, long count, const uint32_t parameter,
                       const int group) {
  Reader r = *reader;
  const uint32_t low = parameter + 1;
  for (long i = 0; i < count;) {
    if (r.next > r.limit) return 0;
    refill(&r);
#pragma clang loop unroll(full)
    for (int j = 0; j < group; j++) {
      // The one that ends the zeros stops the count at the latest at the lowest bit.
      const uint32_t zeros = (uint32_t)__builtin_clzll(r.bits | 1);
      if (__builtin_expect(zeros + low > r.count, 0)) {
        if (j > 0) break;
        uint32_t many;
        if (!read_unary(&r, &many)) return 0;
        out[i++] = unfolded(many << parameter | read_bits(&r, parameter));
        break;
      }
      // The one is part of what is shifted down.
      const uint64_t rest = r.bits << zeros;
      out[i++] = unfolded(((zeros - 1) << parameter) + (uint32_t)(rest >> (64 - low)));
      r.bits = rest << low;
      r.count -= zeros + low;
      if (i == count) break;
    }
  }
  *reader = r;
  return 1;
}

KERNEL_DISPATCHED
static int read_rice(Reader *r, int32_t *out, long count, uint32_t parameter) {
  if (parameter < 9) return read_groups(r, out, count, parameter, 4);
  if (parameter < 14) return read_groups(r, out, count, parameter, 3);
  return read_groups(r, out, count, parameter, 2);
}

// The differences from a prediction, from the sample number `order` on.
static const char *read_residuals(Reader *r, int32_t *out, long frames, long order) {
  const uint32_t method = read_bits(r, 2), partitionOrder = read_bits(r, 4);
  if (method > 1) return "the residuals have a reserved code";
  const uint32_t width = method == 0 ? 4 : 5, escape = method == 0 ? 15 : 31;
  const long size = frames >> partitionOrder;
  if (size << partitionOrder != frames || size < order) return "the partitions do not fit the frame";
  for (long first = 0; first < frames; first += size) {
    const long start = first == 0 ? order : first;
    const long count = first + size - start;
    const uint32_t parameter = read_bits(r, width);
    if (parameter != escape) {
      if (!read_rice(r, out + start, count, parameter)) return cut;
    } else {
      const uint32_t bits = read_bits(r, 5);
      for (long i = 0; i < count; i++) out[start + i] = (int32_t)read_signed(r, bits);
    }
    if (is_beyond(r)) return cut;
  }
  return NULL;
}

// --- Predictions ------------------------------------------------------------------------------
// `s` has the first samples, then residuals, which become samples.

static void restore_fixed(int32_t *samples, long frames, int order) {
  uint32_t *s = (uint32_t *)samples;
  switch (order) {
    case 1:
      for (long i = 1; i < frames; i++) s[i] += s[i - 1];
      break;
    case 2:
      for (long i = 2; i < frames; i++) s[i] += 2 * s[i - 1] - s[i - 2];
      break;
    case 3:
      for (long i = 3; i < frames; i++) s[i] += 3 * (s[i - 1] - s[i - 2]) + s[i - 3];
      break;
    case 4:
      for (long i = 4; i < frames; i++)
        s[i] += 4 * (s[i - 1] + s[i - 3]) - 6 * s[i - 2] - s[i - 4];
      break;
    default: break;
  }
}

// Keeps the compiler from adding in vectors: their lanes would be added last, behind the newest product,
// and reading several samples at once has to wait until the last one has been written.
#define IN_ORDER(sum) __asm__("" : "+r"(sum))

// `c` has the factor of the previous sample first. The newest product is added last, because it
// arrives last.
INLINE void restore_narrow(int32_t *s, long frames, const int32_t *factors, const int order, int shift) {
  int32_t c[LARGEST_ORDER];
  for (int j = 0; j < order; j++) c[j] = factors[j];
  for (long i = order; i < frames; i++) {
    uint32_t sum = 0;
#pragma clang loop unroll(full)
    for (int j = order - 1; j >= 0; j--) {
      sum += (uint32_t)c[j] * (uint32_t)s[i - 1 - j];
      IN_ORDER(sum);
    }
    s[i] = (int32_t)((uint32_t)s[i] + (uint32_t)((int32_t)sum >> shift));
  }
}

INLINE void restore_long(int32_t *s, long frames, const int32_t *factors, const int order, int shift) {
  int64_t c[LARGEST_ORDER];
  for (int j = 0; j < order; j++) c[j] = factors[j];
  for (long i = order; i < frames; i++) {
    int64_t sum = 0;
#pragma clang loop unroll(full)
    for (int j = order - 1; j >= 0; j--) sum += c[j] * s[i - 1 - j];
    s[i] = (int32_t)((uint32_t)s[i] + (uint32_t)(sum >> shift));
  }
}

INLINE void restore(int32_t *s, long frames, const int32_t *c, const int order, int shift, int isNarrow) {
  if (isNarrow)
    restore_narrow(s, frames, c, order, shift);
  else
    restore_long(s, frames, c, order, shift);
}

KERNEL_DISPATCHED
static void restore_linear(int32_t *s, long frames, const int32_t *c, int order, int shift,
                           int isNarrow) {
  switch (order) {
#define CASE(n) \
  case n: return restore(s, frames, c, n, shift, isNarrow);
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11) CASE(12)
#undef CASE
    default: break;
  }
  // Longer predictions are rare.
  for (long i = order; i < frames; i++) {
    int64_t sum = 0;
    for (int j = 0; j < order; j++) sum += (int64_t)c[j] * s[i - 1 - j];
    s[i] = (int32_t)((uint32_t)s[i] + (uint32_t)(sum >> shift));
  }
}

// The differences of 32-bit channels, which have 33 bits: `w` has the first ones.
static void restore_wide(int64_t *w, const int32_t *residuals, long frames, const int32_t *c, int order,
                         int shift) {
  for (long i = order; i < frames; i++) {
    uint64_t sum = 0;
    for (int j = 0; j < order; j++) sum += (uint64_t)(int64_t)c[j] * (uint64_t)w[i - 1 - j];
    w[i] = (int64_t)((uint64_t)residuals[i] + (uint64_t)((int64_t)sum >> shift));
  }
}

// The fixed predictions as factors.
static const int32_t fixedFactors[5][4] = {{0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};

// --- Subframes --------------------------------------------------------------------------------

// Whether a prediction from samples of so many bits fits in 32 bits.
static int is_narrow(const int32_t *factors, int order, int depth) {
  uint64_t sum = 0;
  for (int j = 0; j < order; j++) sum += (uint64_t)(factors[j] < 0 ? -factors[j] : factors[j]);
  return sum << (depth - 1) < 1ULL << 31;
}

// One channel, into `samples`, or into `wide` where a sample has 33 bits.
static const char *read_subframe(Reader *r, int32_t *samples, int64_t *wide, long frames, int bits) {
  const int isWide = bits > 32;
  const uint32_t kind = read_bits(r, 8);
  if (kind & 0x80) return "a subframe does not begin with zero";
  uint32_t wasted = 0;
  if (kind & 1) {
    if (!read_unary(r, &wasted)) return cut;
    wasted++;
  }
  if (wasted >= (uint32_t)bits) return "a subframe has no bits";
  const uint32_t depth = (uint32_t)bits - wasted;
  const int code = (int)(kind >> 1);
  int order = 0, shift = 0;
  int32_t factors[LARGEST_ORDER];
  if (code == 0) {
    const int64_t value = read_signed(r, depth);
    for (long i = 0; i < frames; i++)
      if (isWide)
        wide[i] = value;
      else
        samples[i] = (int32_t)value;
  } else if (code == 1 || (code >= 8 && code <= 12) || code >= 32) {
    order = code == 1 ? 0 : code < 32 ? code - 8 : code - 31;
    if (order > frames) return "a prediction is longer than the frame";
    const long plain = code == 1 ? frames : order;
    for (long i = 0; i < plain; i++) {
      const int64_t value = read_signed(r, depth);
      if (isWide)
        wide[i] = value;
      else
        samples[i] = (int32_t)value;
    }
    if (code >= 32) {
      const uint32_t precision = read_bits(r, 4) + 1;
      shift = (int)read_signed(r, 5);
      if (precision > 15) return "a prediction has a reserved precision";
      if (shift < 0) return "a prediction has a negative shift";
      for (int j = 0; j < order; j++) factors[j] = (int32_t)read_signed(r, precision);
      const char *reason = read_residuals(r, samples, frames, order);
      if (reason) return reason;
      if (isWide)
        restore_wide(wide, samples, frames, factors, order, shift);
      else
        restore_linear(samples, frames, factors, order, shift, is_narrow(factors, order, (int)depth));
    } else if (code >= 8) {
      const char *reason = read_residuals(r, samples, frames, order);
      if (reason) return reason;
      if (isWide)
        restore_wide(wide, samples, frames, fixedFactors[order], order, 0);
      else
        restore_fixed(samples, frames, order);
    }
  } else {
    return "a subframe has a reserved kind";
  }
  if (is_beyond(r)) return cut;
  for (long i = 0; wasted > 0 && i < frames; i++)
    if (isWide)
      wide[i] = (int64_t)((uint64_t)wide[i] << wasted);
    else
      samples[i] = (int32_t)((uint32_t)samples[i] << wasted);
  return NULL;
}

// --- Frames -----------------------------------------------------------------------------------

enum { LEFT_SIDE = 8, SIDE_RIGHT = 9, MID_SIDE = 10 };

// Two channels, one of which is a difference.
INLINE void join(uint32_t *out, const int32_t *a, const int32_t *b, long frames, const int code, int up) {
  for (long i = 0; i < frames; i++) {
    const uint32_t x = (uint32_t)a[i], y = (uint32_t)b[i];
    uint32_t left = x, right = y;
    if (code == LEFT_SIDE) right = x - y;
    if (code == SIDE_RIGHT) left = x + y;
    if (code == MID_SIDE) {
      // The mean lost its lowest bit, which is that of the difference.
      const uint32_t sum = x << 1 | (y & 1);
      left = (uint32_t)((int32_t)(sum + y) >> 1);
      right = (uint32_t)((int32_t)(sum - y) >> 1);
    }
    out[2 * i] = left << up;
    out[2 * i + 1] = right << up;
  }
}

// As above, for channels of 32 bits.
static void join_wide(uint32_t *out, const int32_t *narrow, const int64_t *side, long frames, int code) {
  for (long i = 0; i < frames; i++) {
    const uint64_t x = (uint64_t)(int64_t)narrow[i], y = (uint64_t)side[i];
    uint64_t left = x, right = x;
    if (code == LEFT_SIDE) right = x - y;
    if (code == SIDE_RIGHT) left = x + y;
    if (code == MID_SIDE) {
      const uint64_t sum = x << 1 | (y & 1);
      left = (uint64_t)((int64_t)(sum + y) >> 1);
      right = (uint64_t)((int64_t)(sum - y) >> 1);
    }
    out[2 * i] = (uint32_t)left;
    out[2 * i + 1] = (uint32_t)right;
  }
}

static void interleave(uint32_t *out, const int32_t *samples, long frames, int channels, int up) {
  for (int c = 0; c < channels; c++, samples += frames)
    for (long i = 0; i < frames; i++) out[i * channels + c] = (uint32_t)samples[i] << up;
}

static int has_memory(FLACDecoder *d, long size, long frames) {
  if (size + PADDING > d->capacity) {
    uint8_t *bytes = realloc(d->bytes, (size_t)(size + PADDING));
    if (!bytes) return 0;
    d->bytes = bytes;
    d->capacity = size + PADDING;
  }
  if (frames > d->frameCapacity) {
    int32_t *samples = realloc(d->samples, (size_t)frames * CHANNELS * sizeof *samples);
    if (!samples) return 0;
    d->samples = samples;
    int64_t *wide = realloc(d->wide, (size_t)frames * sizeof *wide);
    if (!wide) return 0;
    d->wide = wide;
    d->frameCapacity = frames;
  }
  return 1;
}

const char *flac_decode(FLACDecoder *d, const uint8_t *packet, long size, const FLACFrameHeader *header,
                        int32_t *output) {
  const long frames = header->frames;
  const int channels = header->channels, bits = header->bits, code = header->channelCode;
  if (bits < 4 || bits > 32) return "a sample has fewer than 4 bits or more than 32";
  if (frames < 1 || channels < 1 || channels > CHANNELS || header->size < 1 || header->size > size)
    return "the header is wrong";
  if (!has_memory(d, size, frames)) return outOfMemory;
  memcpy(d->bytes, packet, (size_t)size);
  memset(d->bytes + size, 0, PADDING);
  Reader r = {0, 0, d->bytes + header->size, d->bytes + size, d->bytes + size + 8};
  for (int c = 0; c < channels; c++) {
    const int isSide = code >= LEFT_SIDE && (code == SIDE_RIGHT) == (c == 0);
    const char *reason = read_subframe(&r, d->samples + c * frames, d->wide, frames, bits + isSide);
    if (reason) return reason;
  }
  // Zero bits up to a whole byte, and a check sum of two bytes.
  const long end = r.next - d->bytes - r.count / 8 + 2;
  if (end > size) return cut;
  if (flac_sum(&d->sums, d->bytes, end) != 0) return "the check sum is wrong";
  uint32_t *out = (uint32_t *)output;
  const int32_t *first = d->samples, *second = d->samples + frames;
  const int up = 32 - bits;
  if (code >= LEFT_SIDE && bits == 32)
    join_wide(out, code == SIDE_RIGHT ? second : first, d->wide, frames, code);
  else if (code == LEFT_SIDE)
    join(out, first, second, frames, LEFT_SIDE, up);
  else if (code == SIDE_RIGHT)
    join(out, first, second, frames, SIDE_RIGHT, up);
  else if (code == MID_SIDE)
    join(out, first, second, frames, MID_SIDE, up);
  else if (channels == 2)
    join(out, first, second, frames, 0, up);
  else
    interleave(out, first, frames, channels, up);
  return NULL;
}

const char *flac_read_header(const uint8_t *p, long size, FLACFrameHeader *header) {
  static const char *const none = "the packet does not begin with a frame";
  static const int32_t rates[] = {0,     88200, 176400, 192000, 8000,  16000,
                                  22050, 24000, 32000,  44100,  48000, 96000};
  static const int32_t depths[] = {0, 8, 12, -1, 16, 20, 24, 32};
  if (size < 6 || p[0] != 0xff || (p[1] & 0xfe) != 0xf8) return none;
  const int sizeCode = p[2] >> 4, rateCode = p[2] & 15, channelCode = p[3] >> 4;
  const int32_t bits = depths[p[3] >> 1 & 7];
  if (sizeCode == 0 || rateCode == 15 || channelCode > MID_SIDE || bits < 0 || (p[3] & 1))
    return "the header has a reserved code";
  // A number of one to seven bytes, as in UTF-8.
  const int ones = p[4] == 0xff ? 8 : __builtin_clz((unsigned)(uint8_t)~p[4]) - 24;
  if (ones == 1 || ones > 7) return none;
  const long number = ones > 0 ? ones : 1;
  const long sizeBytes = sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0;
  const long rateBytes = rateCode == 12 ? 1 : rateCode > 12 ? 2 : 0;
  const long length = 4 + number + sizeBytes + rateBytes;
  if (length >= size) return cut;
  for (long i = 5; i < 4 + number; i++)
    if ((p[i] & 0xc0) != 0x80) return none;
  if (flac_header_sum(p, length) != p[length]) return "the check sum of the header is wrong";
  const uint8_t *extra = p + 4 + number;
  int32_t frames = sizeCode == 1 ? 192 : sizeCode < 6 ? 576 << (sizeCode - 2) : 0;
  if (sizeCode == 6) frames = extra[0] + 1;
  if (sizeCode == 7) frames = (extra[0] << 8 | extra[1]) + 1;
  if (sizeCode > 7) frames = 256 << (sizeCode - 8);
  extra += sizeBytes;
  int32_t rate = rateCode < 12 ? rates[rateCode] : 0;
  if (rateCode == 12) rate = extra[0] * 1000;
  if (rateCode == 13) rate = extra[0] << 8 | extra[1];
  if (rateCode == 14) rate = (extra[0] << 8 | extra[1]) * 10;
  *header = (FLACFrameHeader){.frames = frames,
                              .channels = channelCode < LEFT_SIDE ? channelCode + 1 : 2,
                              .bits = bits,
                              .rate = rate,
                              .channelCode = channelCode,
                              .size = (int32_t)length + 1};
  return NULL;
}

FLACDecoder *flac_decoder(void) {
  FLACDecoder *decoder = calloc(1, sizeof *decoder);
  if (decoder) flac_make_sums(&decoder->sums);
  return decoder;
}

void flac_decoder_free(FLACDecoder *decoder) {
  free(decoder->bytes);
  free(decoder->samples);
  free(decoder->wide);
  free(decoder);
}
