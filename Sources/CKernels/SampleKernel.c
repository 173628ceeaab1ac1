// SPDX-License-Identifier: Apache-2.0

#include "SampleKernel.h"

#include "Dispatch.h"
#include "Vectors.h"

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

// Rounds to the nearest integer of at most 22 bits: adding this number leaves it in the lower bits.
INLINE Words round_narrow(Floats x, float scale, float lowest, float highest) {
  x = (Floats)((Words)x & (x == x)) * scale;
  x = SELECT(Words, Floats, x < lowest, (Floats){0} + lowest, x);
  x = SELECT(Words, Floats, x > highest, (Floats){0} + highest, x);
  return (Words)(x + 0x1.8p23f) - 0x4b400000;
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

INLINE Words from_floats(Floats x, const SampleLayout *l, const int isNarrow, double lowest) {
  const Words values = isNarrow
                           ? round_narrow(x, l->scale, (float)lowest, (float)(-lowest - 1))
                           : round_wide(x, l->scale, (float)-lowest, (int32_t)(-lowest - 1));
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
                   const int bytes, const int big, const int isNarrow) {
  const double lowest = lowest_of(l->bits);
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    LOAD(Floats, x, in + i);
    store_words(out + i * bytes, bytes, big, from_floats(x, l, isNarrow, lowest));
  }
  if (i < count) {
    uint8_t rest[LANES * 4];
    Floats x = {0};
    memcpy(&x, in + i, (size_t)(count - i) * 4);
    store_words(rest, bytes, big, from_floats(x, l, isNarrow, lowest));
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
                         const int bytes, const int isNarrow) {
  if (l->isBigEndian)
    encode(out, in, count, l, bytes, 1, isNarrow);
  else
    encode(out, in, count, l, bytes, 0, isNarrow);
}

INLINE void encode_any(uint8_t *out, const float *in, long count, const SampleLayout *l) {
  if (is_plain(l) && l->bytes == 2) return encode(out, in, count, PLAIN(2), 2, 0, 1);
  if (is_plain(l) && l->bytes == 3) return encode(out, in, count, PLAIN(3), 3, 0, 0);
  if (is_plain(l) && l->bytes == 4) return encode(out, in, count, PLAIN(4), 4, 0, 0);
  const int isNarrow = l->bits <= 22;
  switch (l->bytes) {
    case 1: return encode(out, in, count, l, 1, 0, 1);
    case 2: return encode_sized(out, in, count, l, 2, 1);
    case 3:
      return isNarrow ? encode_sized(out, in, count, l, 3, 1) : encode_sized(out, in, count, l, 3, 0);
    default:
      return isNarrow ? encode_sized(out, in, count, l, 4, 1) : encode_sized(out, in, count, l, 4, 0);
  }
}

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
