// SPDX-License-Identifier: Apache-2.0

#include "SampleKernel.h"

#include "Dispatch.h"
#include "Vectors.h"
#include "WidePairs.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// A block fits in the first-level cache.
#define BLOCK 256

typedef int16_t Shorts __attribute__((vector_size(LANES * 2)));
typedef int8_t Bytes __attribute__((vector_size(LANES)));
typedef int8_t WordBytes __attribute__((vector_size(LANES * 4)));
typedef int8_t ShortBytes __attribute__((vector_size(LANES * 2)));

#define SELECT(Mask, Type, condition, yes, no) \
  ((Type)(((Mask)(yes) & (condition)) | ((Mask)(no) & ~(condition))))

// --- Bytes to words, the sample at the upper end, and back ------------------------------------

INLINE Words load_words(const uint8_t *p, const int bytes, const int big) {
  Words words;
  if (bytes == 1) {
    LOAD(Bytes, b, p);
    words = CONVERT(b, Words) << 24;
  } else if (bytes == 2) {
    LOAD(ShortBytes, b, p);
    if (big) b = SHUFFLE(b, b, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    words = CONVERT((Shorts)b, Words) << 16;
  } else if (bytes == 3) {
    // Three times eight bytes; the lowest byte of each word is shuffled in from the zeros.
    WordBytes b = {0};
    const WordBytes zero = {0};
    memcpy(&b, p, 3 * LANES);
    words = big ? (Words)SHUFFLE(b, zero, 32, 2, 1, 0, 32, 5, 4, 3, 32, 8, 7, 6, 32, 11, 10, 9, 32,
                                 14, 13, 12, 32, 17, 16, 15, 32, 20, 19, 18, 32, 23, 22, 21)
                : (Words)SHUFFLE(b, zero, 32, 0, 1, 2, 32, 3, 4, 5, 32, 6, 7, 8, 32, 9, 10, 11, 32,
                                 12, 13, 14, 32, 15, 16, 17, 32, 18, 19, 20, 32, 21, 22, 23);
  } else {
    LOAD(WordBytes, b, p);
    if (big)
      b = SHUFFLE(b, b, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16, 23, 22,
                  21, 20, 27, 26, 25, 24, 31, 30, 29, 28);
    words = (Words)b;
  }
  return words;
}

INLINE void store_words(uint8_t *p, const int bytes, const int big, Words words) {
  if (bytes == 1) {
    Bytes b = CONVERT(words >> 24, Bytes);
    memcpy(p, &b, sizeof b);
  } else if (bytes == 2) {
    ShortBytes b = (ShortBytes)CONVERT(words >> 16, Shorts);
    if (big) b = SHUFFLE(b, b, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    memcpy(p, &b, sizeof b);
  } else if (bytes == 3) {
    WordBytes b = (WordBytes)words;
    b = big ? SHUFFLE(b, b, 3, 2, 1, 7, 6, 5, 11, 10, 9, 15, 14, 13, 19, 18, 17, 23, 22, 21, 27, 26,
                      25, 31, 30, 29, -1, -1, -1, -1, -1, -1, -1, -1)
            : SHUFFLE(b, b, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26,
                      27, 29, 30, 31, -1, -1, -1, -1, -1, -1, -1, -1);
    memcpy(p, &b, 3 * LANES);
  } else {
    WordBytes b = (WordBytes)words;
    if (big)
      b = SHUFFLE(b, b, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16, 23, 22,
                  21, 20, 27, 26, 25, 24, 31, 30, 29, 28);
    memcpy(p, &b, sizeof b);
  }
}

// --- Words to floats and back -----------------------------------------------------------------

INLINE Floats to_floats(Words words, const SampleLayout *l, float unit) {
  Words values = (Words)(((UnsignedWords)words << l->padding) ^ l->flip) >> (32 - l->bits);
  return CONVERT(values, Floats) * unit;
}

// Scales, and limits to a range; what is no number becomes zero.
INLINE Floats bounded(Floats x, float scale, float lowest, float highest) {
  x = (Floats)((Words)x & (x == x)) * scale;
  x = SELECT(Words, Floats, x < lowest, (Floats){0} + lowest, x);
  return SELECT(Words, Floats, x > highest, (Floats){0} + highest, x);
}

// Adding this number leaves the nearest integer of at most 22 bits in the lower bits of the sum.
#define WHOLE 0x1.8p23f

INLINE Words round_narrow(Floats x, float scale, float lowest, float highest) {
  return (Words)(bounded(x, scale, lowest, highest) + WHOLE) - 0x4b400000;
}

// Rounds to the nearest integer of 23 or 24 bits: adding 2^23 with the same sign leaves a whole number.
INLINE Words round_middle(Floats x, float scale, float lowest, float highest) {
  x = bounded(x, scale, lowest, highest);
  const Floats large = (Floats)(((Words)x & INT32_MIN) | 0x4b000000);
  return CONVERT((x + large) - large, Words);
}

// Rounds to the nearest integer of up to 32 bits. From 2^23 on a float is whole; below, adding that
// number with the same sign rounds, and leaves the integer in the lower bits.
INLINE Words round_wide(Floats x, float scale, float limit, int32_t highest) {
  x = (Floats)((Words)x & (x == x)) * scale;
  x = SELECT(Words, Floats, x < -limit, (Floats){0} - limit, x);
  const Words isSmall = ((Words)x & INT32_MAX) < 0x4b000000;
  const Floats large = (Floats)(((Words)x & INT32_MIN) | 0x4b000000);
  const Floats whole = SELECT(Words, Floats, isSmall, (x + large) - large, x);
  // After rounding: a value half a step below the limit is rounded up to it.
  const Words isOver = whole >= limit;
  const Words values = CONVERT((Floats)((Words)whole & ~isOver), Words);
  return SELECT(Words, Words, isOver, (Words){0} + highest, values);
}

// How samples of so many bits are rounded.
typedef enum { NARROW, MIDDLE, WIDE } Width;

INLINE Width width_of(int bits) { return bits <= 22 ? NARROW : bits <= 24 ? MIDDLE : WIDE; }

INLINE Words from_floats(Floats x, const SampleLayout *l, const Width width, double lowest) {
  const float highest = (float)(-lowest - 1);
  const Words values = width == NARROW   ? round_narrow(x, l->scale, (float)lowest, highest)
                       : width == MIDDLE ? round_middle(x, l->scale, (float)lowest, highest)
                                         : round_wide(x, l->scale, (float)-lowest,
                                                      (int32_t)(-lowest - 1));
  const int shift = 32 - l->bits;
  // Padding above a signed sample repeats its sign; above an unsigned one it is zero.
  const uint32_t mask = l->flip ? UINT32_MAX >> l->padding : UINT32_MAX;
  const Words shifted = (values << shift) >> l->padding;
  return (Words)(((UnsignedWords)shifted ^ (l->flip >> l->padding)) & mask);
}

INLINE double lowest_of(int bits) { return -(double)(1LL << (bits - 1)); }

// --- Runs -------------------------------------------------------------------------------------

INLINE void decode(float *out, const uint8_t *in, long count, const SampleLayout *l,
                   const int bytes, const int big) {
  const float unit = 1 / l->scale;
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    Floats x = to_floats(load_words(in + i * bytes, bytes, big), l, unit);
    memcpy(out + i, &x, sizeof x);
  }
  if (i < count) {
    uint8_t rest[LANES * 4] = {0};
    memcpy(rest, in + i * bytes, (size_t)((count - i) * bytes));
    Floats x = to_floats(load_words(rest, bytes, big), l, unit);
    memcpy(out + i, &x, (size_t)(count - i) * 4);
  }
}

INLINE void encode(uint8_t *out, const float *in, long count, const SampleLayout *l,
                   const int bytes, const int big, const Width width) {
  const double lowest = lowest_of(l->bits);
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    LOAD(Floats, x, in + i);
    store_words(out + i * bytes, bytes, big, from_floats(x, l, width, lowest));
  }
  if (i < count) {
    uint8_t rest[LANES * 4];
    Floats x = {0};
    memcpy(&x, in + i, (size_t)(count - i) * 4);
    store_words(rest, bytes, big, from_floats(x, l, width, lowest));
    memcpy(out + i * bytes, rest, (size_t)((count - i) * bytes));
  }
}

// The usual case: a sample that fills its bytes, least significant first, with silence at zero.
// When the compiler knows this, nothing is shifted or masked.
INLINE int is_plain(const SampleLayout *l) {
  return l->bits == 8 * l->bytes && !l->isBigEndian && !l->flip && l->scale == -lowest_of(l->bits);
}

#define PLAIN(bytes) \
  &(const SampleLayout) { bytes, 0, 8 * bytes, 0, 0, (float)(1LL << (8 * bytes - 1)) }

INLINE void decode_any(float *out, const uint8_t *in, long count, const SampleLayout *l) {
  if (is_plain(l) && l->bytes == 2) return decode(out, in, count, PLAIN(2), 2, 0);
  if (is_plain(l) && l->bytes == 3) return decode(out, in, count, PLAIN(3), 3, 0);
  if (is_plain(l) && l->bytes == 4) return decode(out, in, count, PLAIN(4), 4, 0);
  switch (l->bytes) {
    case 1: return decode(out, in, count, l, 1, 0);
    case 2: return l->isBigEndian ? decode(out, in, count, l, 2, 1) : decode(out, in, count, l, 2, 0);
    case 3: return l->isBigEndian ? decode(out, in, count, l, 3, 1) : decode(out, in, count, l, 3, 0);
    default: return l->isBigEndian ? decode(out, in, count, l, 4, 1) : decode(out, in, count, l, 4, 0);
  }
}

INLINE void encode_sized(uint8_t *out, const float *in, long count, const SampleLayout *l,
                         const int bytes, const Width width) {
  if (l->isBigEndian)
    encode(out, in, count, l, bytes, 1, width);
  else
    encode(out, in, count, l, bytes, 0, width);
}

INLINE void encode_any(uint8_t *out, const float *in, long count, const SampleLayout *l) {
  if (is_plain(l) && l->bytes == 2) return encode(out, in, count, PLAIN(2), 2, 0, NARROW);
  if (is_plain(l) && l->bytes == 3) return encode(out, in, count, PLAIN(3), 3, 0, MIDDLE);
  if (is_plain(l) && l->bytes == 4) return encode(out, in, count, PLAIN(4), 4, 0, WIDE);
  const Width width = width_of(l->bits);
  switch (l->bytes) {
    case 1: return encode(out, in, count, l, 1, 0, NARROW);
    case 2: return encode_sized(out, in, count, l, 2, NARROW);
    case 3:
      return width == NARROW ? encode_sized(out, in, count, l, 3, NARROW)
                             : encode_sized(out, in, count, l, 3, MIDDLE);
    default:
      return width == NARROW   ? encode_sized(out, in, count, l, 4, NARROW)
             : width == MIDDLE ? encode_sized(out, in, count, l, 4, MIDDLE)
                               : encode_sized(out, in, count, l, 4, WIDE);
  }
}

// --- Frames of two channels, with plain samples -------------------------------------------------

// Eight frames: the samples of both channels meet in one word.
INLINE void encode_pairs_16(uint8_t *out, const float *left, const float *right) {
  LOAD(Floats, l, left);
  LOAD(Floats, r, right);
  const float lowest = -0x1p15f, highest = 0x1p15f - 1;
  const Words low = (Words)(bounded(l, 0x1p15f, lowest, highest) + WHOLE) & 0xffff;
  const UnsignedWords high = (UnsignedWords)(bounded(r, 0x1p15f, lowest, highest) + WHOLE) << 16;
  const UnsignedWords both = (UnsignedWords)low | high;
  memcpy(out, &both, sizeof both);
}

#define PACKED_24(w) \
  SHUFFLE((WordBytes)(w), (WordBytes)(w), 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, \
          16, 17, 18, 20, 21, 22, 24, 25, 26, 28, 29, 30, -1, -1, -1, -1)

// Eight frames. Each piece of two frames is written with four bytes that the next one overwrites.
INLINE void encode_pairs_24(uint8_t *out, const float *left, const float *right) {
  LOAD(Floats, x, left);
  LOAD(Floats, y, right);
  const Words l = round_middle(x, 0x1p23f, -0x1p23f, 0x1p23f - 1);
  const Words r = round_middle(y, 0x1p23f, -0x1p23f, 0x1p23f - 1);
  const Words even = SHUFFLE(l, r, 0, 8, 1, 9, 4, 12, 5, 13);
  const Words odd = SHUFFLE(l, r, 2, 10, 3, 11, 6, 14, 7, 15);
  const WordBytes a = PACKED_24(even), b = PACKED_24(odd);
  memcpy(out, &a, 16);
  memcpy(out + 12, &b, 16);
  memcpy(out + 24, (const uint8_t *)&a + 16, 16);
  memcpy(out + 36, (const uint8_t *)&b + 16, 12);
}

#ifdef __SSE2__
typedef float Floats4 __attribute__((vector_size(16)));
typedef int32_t Words4 __attribute__((vector_size(16)));

// The processor rounds to the nearest; what is too large becomes the lowest number, and then the
// highest one where its bits are inverted.
INLINE __m128i nearest_32(const float *in) {
  Floats4 x;
  memcpy(&x, in, sizeof x);
  x = (Floats4)((Words4)x & (x == x)) * 0x1p31f;
  return (__m128i)((Words4)_mm_cvtps_epi32((__m128)x) ^ (x >= 0x1p31f));
}

// Eight frames.
INLINE void encode_pairs_32(uint8_t *out, const float *left, const float *right) {
  for (int i = 0; i < LANES; i += 4) {
    const __m128i l = nearest_32(left + i), r = nearest_32(right + i);
    _mm_storeu_si128((__m128i *)(out + 8 * i), _mm_unpacklo_epi32(l, r));
    _mm_storeu_si128((__m128i *)(out + 8 * i + 16), _mm_unpackhi_epi32(l, r));
  }
}
#define HAS_PAIRS_32 1
#else
INLINE void encode_pairs_32(uint8_t *out, const float *left, const float *right) {
  (void)out, (void)left, (void)right;
}
#define HAS_PAIRS_32 0
#endif

INLINE void encode_eight(uint8_t *out, const float *left, const float *right, const int bytes) {
  if (bytes == 2)
    encode_pairs_16(out, left, right);
  else if (bytes == 3)
    encode_pairs_24(out, left, right);
  else
    encode_pairs_32(out, left, right);
}

INLINE void encode_pairs(uint8_t *out, const float *left, const float *right, long frames,
                         const int bytes) {
  long i = 0;
  for (; i + LANES <= frames; i += LANES)
    encode_eight(out + i * 2 * bytes, left + i, right + i, bytes);
  if (i == frames) return;
  float l[LANES] = {0}, r[LANES] = {0};
  uint8_t rest[LANES * 8];
  memcpy(l, left + i, (size_t)(frames - i) * 4);
  memcpy(r, right + i, (size_t)(frames - i) * 4);
  encode_eight(rest, l, r, bytes);
  memcpy(out + i * 2 * bytes, rest, (size_t)((frames - i) * 2 * bytes));
}

#ifdef KERNEL_HAS_DISPATCH
WIDE_INLINE void wide_eight(uint8_t *out, const float *left, const float *right, const int bytes) {
  if (bytes == 2)
    wide_pairs_16(out, left, right);
  else if (bytes == 3)
    wide_pairs_24(out, left, right);
  else
    wide_pairs_32(out, left, right);
}

// Whole eights; returns how many frames these are.
WIDE_INLINE long wide_run(uint8_t *out, const float *left, const float *right, long frames,
                          const int bytes) {
  long i = 0;
  for (; i + LANES <= frames; i += LANES) wide_eight(out + i * 2 * bytes, left + i, right + i, bytes);
  return i;
}

WIDE_TARGET static long encode_wide(uint8_t *out, const float *left, const float *right, long frames,
                                    int bytes) {
  if (bytes == 2) return wide_run(out, left, right, frames, 2);
  if (bytes == 3) return wide_run(out, left, right, frames, 3);
  return wide_run(out, left, right, frames, 4);
}
#endif

// --- Frames -----------------------------------------------------------------------------------

INLINE void deinterleave(float *const *out, long first, long channels, const float *in,
                         long frames) {
  if (channels == 2) {
    float *left = out[0] + first, *right = out[1] + first;
    long i = 0;
    for (; i + LANES <= frames; i += LANES) {
      LOAD(Floats, a, in + 2 * i);
      LOAD(Floats, b, in + 2 * i + LANES);
      Floats l = SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14), r = SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
      memcpy(left + i, &l, sizeof l);
      memcpy(right + i, &r, sizeof r);
    }
    for (; i < frames; i++) left[i] = in[2 * i], right[i] = in[2 * i + 1];
  } else {
    for (long c = 0; c < channels; c++) {
      float *to = out[c] + first;
      for (long i = 0; i < frames; i++) to[i] = in[i * channels + c];
    }
  }
}

INLINE void interleave(float *out, const float *const *in, long first, long channels, long frames) {
  if (channels == 2) {
    const float *left = in[0] + first, *right = in[1] + first;
    long i = 0;
    for (; i + LANES <= frames; i += LANES) {
      LOAD(Floats, l, left + i);
      LOAD(Floats, r, right + i);
      Floats a = SHUFFLE(l, r, 0, 8, 1, 9, 2, 10, 3, 11), b = SHUFFLE(l, r, 4, 12, 5, 13, 6, 14, 7, 15);
      memcpy(out + 2 * i, &a, sizeof a);
      memcpy(out + 2 * i + LANES, &b, sizeof b);
    }
    for (; i < frames; i++) out[2 * i] = left[i], out[2 * i + 1] = right[i];
  } else {
    for (long c = 0; c < channels; c++) {
      const float *from = in[c] + first;
      for (long i = 0; i < frames; i++) out[i * channels + c] = from[i];
    }
  }
}

KERNEL_DISPATCHED
void kernel_decode_samples(float *output, const void *input, long count, SampleLayout layout) {
  decode_any(output, input, count, &layout);
}

KERNEL_DISPATCHED
void kernel_encode_samples(void *output, const float *input, long count, SampleLayout layout) {
  encode_any(output, input, count, &layout);
}

KERNEL_DISPATCHED
void kernel_decode_frames(float *const *output, long channels, const void *input, long frames,
                          SampleLayout layout) {
  const uint8_t *in = input;
  const long blockFrames = BLOCK / channels;
  float block[BLOCK];
  for (long first = 0; first < frames; first += blockFrames) {
    const long count = frames - first < blockFrames ? frames - first : blockFrames;
    kernel_decode_samples(block, in + first * channels * layout.bytes, count * channels, layout);
    deinterleave(output, first, channels, block, count);
  }
}

KERNEL_DISPATCHED
void kernel_encode_frames(void *output, const float *const *input, long channels, long frames,
                          SampleLayout layout) {
  uint8_t *out = output;
  if (channels == 2 && is_plain(&layout) && layout.bytes > 1) {
    const float *left = input[0], *right = input[1];
#ifdef KERNEL_HAS_DISPATCH
    if (has_wide_pairs()) {
      const long done = encode_wide(out, left, right, frames, layout.bytes);
      out += done * 2 * layout.bytes, left += done, right += done, frames -= done;
    }
#endif
    if (layout.bytes == 2) return encode_pairs(out, left, right, frames, 2);
    if (layout.bytes == 3) return encode_pairs(out, left, right, frames, 3);
    if (layout.bytes == 4 && HAS_PAIRS_32)
      return encode_pairs(out, left, right, frames, 4);
  }
  const long blockFrames = BLOCK / channels;
  float block[BLOCK];
  for (long first = 0; first < frames; first += blockFrames) {
    const long count = frames - first < blockFrames ? frames - first : blockFrames;
    interleave(block, input, first, channels, count);
    kernel_encode_samples(out + first * channels * layout.bytes, block, count * channels, layout);
  }
}

// In pieces, so that each cache line is fetched once.
KERNEL_DISPATCHED
void kernel_interleave(float *output, const float *const *input, long channels, long frames) {
  const long blockFrames = channels > 32 ? 16 : 512 / channels;
  for (long first = 0; first < frames; first += blockFrames)
    interleave(output + first * channels, input, first, channels,
               frames - first < blockFrames ? frames - first : blockFrames);
}

KERNEL_DISPATCHED
void kernel_deinterleave(float *const *output, long channels, const float *input, long frames) {
  const long blockFrames = channels > 32 ? 16 : 512 / channels;
  for (long first = 0; first < frames; first += blockFrames)
    deinterleave(output, first, channels, input + first * channels,
                 frames - first < blockFrames ? frames - first : blockFrames);
}
