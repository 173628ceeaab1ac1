// SPDX-License-Identifier: Apache-2.0

#include "DitherKernel.h"

#include "Dispatch.h"
#include "SampleKernel.h"
#include "Vectors.h"
#include "WidePairs.h"

// A block fits in the first-level cache.
#define BLOCK 256

// Adding this number leaves the nearest integer in a sum below 2^51.
#define WHOLE 0x1.8p52

// The golden ratio of 2^32, and the factors of the rounds.
#define STEP 0x9e3779b9
#define FIRST_FACTOR 0x7feb352d
#define SECOND_FACTOR 0x846ca68b
#define THIRD_FACTOR 0x9e3779b1

/// The hashes of the second channel of a pair, from those of the first.
INLINE UnsignedWords next_hash(UnsignedWords word) {
  word *= THIRD_FACTOR;
  return word ^ word >> 15;
}

/// Hashes of `LANES` frames' numbers, multiplied by `STEP`.
INLINE UnsignedWords hash(UnsignedWords word, uint32_t key, const int isSecond) {
  word = ((word ^ word >> 16) ^ key) * FIRST_FACTOR;
  word = (word ^ word >> 15) * SECOND_FACTOR;
  word ^= word >> 16;
  return isSecond ? next_hash(word) : word;
}

/// The difference of two uniform variables between 0 and 1, in units of 2^-15.
INLINE Words difference(UnsignedWords word) {
  return (Words)(word >> 1 & 0x7fff) - (Words)(word >> 17);
}

/// Such differences in steps. What is added breaks ties upwards.
#define NOISE(type, difference) (CONVERT(difference, type) * 0x1p-15f + 0x1p-17f)

/// The next frame's number as the hash takes it, the key, and for how many frames it stays the same.
typedef struct {
  uint32_t start, key;
  long run;
} Keys;

INLINE Keys keys(const DitherLine *line, long count) {
  const uint64_t left = 0x100000000 - (line->frame & 0xffffffff);
  const uint64_t high = (line->frame >> 32) * 0x9e3779b97f4a7c15;
  const uint64_t key = line->key ^ high;
  return (Keys){(uint32_t)line->frame * STEP + (uint32_t)key, (uint32_t)(key >> 32),
                (uint64_t)count < left ? count : (long)left};
}

/// Hashes from a frame of a run on.
INLINE UnsignedWords hash_at(Keys k, long at, const int isSecond) {
  const UnsignedWords lanes = {0,        STEP,     2 * STEP, 3 * STEP,
                               4 * STEP, 5 * STEP, 6 * STEP, 7 * STEP};
  return hash(k.start + (uint32_t)at * STEP + lanes, k.key, isSecond);
}

/// Noise of the next frames: the difference of two uniform variables between 0 and 1, made by a
/// hash of each frame's number.
INLINE void make_noise(double *noise, DitherLine *line, long count, const int isSecond) {
  for (long i = 0; i < count;) {
    const Keys k = keys(line, count - i);
    for (long at = 0; at < k.run; at += LANES) {
      const Doubles values = NOISE(Doubles, difference(hash_at(k, at, isSecond)));
      const long rest = k.run - at;
      if (rest >= LANES)
        memcpy(noise + i + at, &values, sizeof values);
      else
        memcpy(noise + i + at, &values, (size_t)rest * 8);
    }
    line->frame += (uint64_t)k.run;
    i += k.run;
  }
}

#define SELECT_FLOATS(condition, yes, no) \
  ((Floats)(((Words)(yes) & (condition)) | ((Words)(no) & ~(condition))))

INLINE Floats within(Floats x, float lowest, float highest) {
  x = SELECT_FLOATS(x < lowest, (Floats){0} + lowest, x);
  return SELECT_FLOATS(x > highest, (Floats){0} + highest, x);
}

/// The nearest multiple of `unit`; adding a number leaves no smaller bits.
INLINE Floats nearest(Floats x, float unit) { return (x + 0x1.8p23f * unit) - 0x1.8p23f * unit; }

/// Adds noise to samples of at most 24 bits, and rounds to whole steps. What a sample is above an even
/// number of steps, in units of 2^-15, and the noise have few enough bits for their sum to be exact.
INLINE Floats round_flat(Floats x, UnsignedWords word, float scale, float limit) {
  x = within((Floats)((Words)x & (x == x)) * scale, -limit - 4, limit + 4);
  const Floats even = nearest(x, 2);
  const Floats rest = nearest(x - even, 0x1p-15f);
  const Floats noise = NOISE(Floats, difference(word));
  return within(even + nearest(rest + noise, 1), -limit, limit - 1);
}

INLINE void dither_flat(float *out, const float *in, DitherLine *line, long count, float scale,
                        float limit, const int isSecond) {
  const float step = 1 / scale;
  for (long i = 0; i < count;) {
    const Keys k = keys(line, count - i);
    for (long at = 0; at < k.run; at += LANES) {
      const UnsignedWords word = hash_at(k, at, isSecond);
      const long rest = k.run - at;
      const size_t size = rest >= LANES ? sizeof(Floats) : (size_t)rest * 4;
      Floats x = {0};
      if (rest >= LANES)
        memcpy(&x, in + i + at, sizeof x);
      else
        memcpy(&x, in + i + at, size);
      const Floats result = round_flat(x, word, scale, limit) * step;
      if (rest >= LANES)
        memcpy(out + i + at, &result, sizeof result);
      else
        memcpy(out + i + at, &result, size);
    }
    line->frame += (uint64_t)k.run;
    i += k.run;
  }
}

#ifdef KERNEL_HAS_DISPATCH
/// Eight samples in units of 2^-15 steps of 16 bits, far enough beyond the range to be clipped.
WIDE_INLINE __m256i wide_fine(const float *in) {
  const __m256 x = _mm256_max_ps(wide_steps(in, 0x1p30f), _mm256_set1_ps(-0x1.8p30f));
  return _mm256_cvtps_epi32(_mm256_min_ps(x, _mm256_set1_ps(0x1.8p30f)));
}

/// Adds the noise of eight hashes, and rounds.
WIDE_INLINE __m256i wide_rounded(__m256i fine, __m256i word) {
  // The lower half minus the upper one.
  const __m256i halves = _mm256_srli_epi16(word, 1);
  const __m256i noise = _mm256_madd_epi16(halves, _mm256_set1_epi32((int32_t)0xffff0001));
  const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(fine, _mm256_set1_epi32(0x4000)), noise);
  return _mm256_srai_epi32(sum, 15);
}

/// One round of the hash.
WIDE_INLINE __m256i wide_round(__m256i word, int32_t factor, int shift) {
  word = _mm256_mullo_epi32(word, _mm256_set1_epi32(factor));
  return _mm256_xor_si256(word, _mm256_srli_epi32(word, shift));
}

/// Whole eights of `dither_pairs`; returns how many frames these are.
WIDE_TARGET static long dither_wide(uint8_t *out, const float *left, const float *right, Keys k,
                                    long count) {
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  __m256i number = _mm256_mullo_epi32(lanes, _mm256_set1_epi32((int32_t)STEP));
  number = _mm256_add_epi32(number, _mm256_set1_epi32((int32_t)k.start));
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    // As `hash`.
    const __m256i mixed = _mm256_xor_si256(number, _mm256_srli_epi32(number, 16));
    const __m256i keyed = _mm256_xor_si256(mixed, _mm256_set1_epi32((int32_t)k.key));
    const __m256i first = wide_round(keyed, FIRST_FACTOR, 15);
    const __m256i a = wide_round(first, (int32_t)SECOND_FACTOR, 16);
    const __m256i b = wide_round(a, (int32_t)THIRD_FACTOR, 15);
    number = _mm256_add_epi32(number, _mm256_set1_epi32((int32_t)(LANES * STEP)));
    store_pairs_16(out + 4 * i, wide_rounded(wide_fine(left + i), a),
                   wide_rounded(wide_fine(right + i), b));
  }
  return i;
}

// The same for sixteen frames, in the instructions of AVX-512.
#define WIDEST_TARGET __attribute__((target("avx512f,avx512bw")))
#define WIDEST_INLINE WIDEST_TARGET INLINE

INLINE int has_widest_pairs(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

WIDEST_INLINE __m512i widest_fine(const float *in) {
  const __m512 x = _mm512_loadu_ps(in);
  const __mmask16 isNumber = _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q);
  const __m512 scaled = _mm512_maskz_mul_ps(isNumber, x, _mm512_set1_ps(0x1p30f));
  const __m512 above = _mm512_max_ps(scaled, _mm512_set1_ps(-0x1.8p30f));
  return _mm512_cvtps_epi32(_mm512_min_ps(above, _mm512_set1_ps(0x1.8p30f)));
}

WIDEST_INLINE __m512i widest_rounded(__m512i fine, __m512i word) {
  const __m512i halves = _mm512_srli_epi16(word, 1);
  const __m512i noise = _mm512_madd_epi16(halves, _mm512_set1_epi32((int32_t)0xffff0001));
  const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(fine, _mm512_set1_epi32(0x4000)), noise);
  return _mm512_srai_epi32(sum, 15);
}

WIDEST_INLINE __m512i widest_round(__m512i word, int32_t factor, unsigned shift) {
  word = _mm512_mullo_epi32(word, _mm512_set1_epi32(factor));
  return _mm512_xor_si512(word, _mm512_srli_epi32(word, shift));
}

/// Whole sixteens of `dither_pairs`; returns how many frames these are.
WIDEST_TARGET static long dither_widest(uint8_t *out, const float *left, const float *right, Keys k,
                                        long count) {
  enum { WIDEST = 16 };
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  // The words of a packed pair alternate between the channels.
  const __m512i order = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  __m512i number = _mm512_mullo_epi32(lanes, _mm512_set1_epi32((int32_t)STEP));
  number = _mm512_add_epi32(number, _mm512_set1_epi32((int32_t)k.start));
  long i = 0;
  for (; i + WIDEST <= count; i += WIDEST) {
    // As `hash`.
    const __m512i mixed = _mm512_xor_si512(number, _mm512_srli_epi32(number, 16));
    const __m512i keyed = _mm512_xor_si512(mixed, _mm512_set1_epi32((int32_t)k.key));
    const __m512i first = widest_round(keyed, FIRST_FACTOR, 15);
    const __m512i a = widest_round(first, (int32_t)SECOND_FACTOR, 16);
    const __m512i b = widest_round(a, (int32_t)THIRD_FACTOR, 15);
    number = _mm512_add_epi32(number, _mm512_set1_epi32((int32_t)(WIDEST * STEP)));
    const __m512i both = _mm512_packs_epi32(widest_rounded(widest_fine(left + i), a),
                                            widest_rounded(widest_fine(right + i), b));
    _mm512_storeu_si512(out + 4 * i, _mm512_shuffle_epi8(both, order));
  }
  return i;
}
#endif

/// Whole steps of 16 bits of both channels of a pair, in words.
INLINE void dither_pairs(uint8_t *out, const float *left, const float *right, Keys k, long count) {
  long i = 0;
#ifdef KERNEL_HAS_DISPATCH
  if (has_widest_pairs()) i = dither_widest(out, left, right, k, count);
  if (has_wide_pairs()) {
    const Keys rest = {k.start + (uint32_t)i * STEP, k.key, count - i};
    i += dither_wide(out + 4 * i, left + i, right + i, rest, rest.run);
  }
#endif
  for (; i < count; i += LANES) {
    const long rest = count - i;
    Floats x = {0}, y = {0};
    const size_t size = rest >= LANES ? sizeof x : (size_t)rest * 4;
    if (rest >= LANES) {
      memcpy(&x, left + i, sizeof x);
      memcpy(&y, right + i, sizeof y);
    } else {
      memcpy(&x, left + i, size);
      memcpy(&y, right + i, size);
    }
    const UnsignedWords a = hash_at(k, i, 0), b = next_hash(a);
    const Words low = (Words)(round_flat(x, a, 0x1p15f, 0x1p15f) + 0x1.8p23f) & 0xffff;
    const UnsignedWords high =
        (UnsignedWords)(round_flat(y, b, 0x1p15f, 0x1p15f) + 0x1.8p23f) << 16;
    const UnsignedWords both = (UnsignedWords)low | high;
    if (rest >= LANES)
      memcpy(out + 4 * i, &both, sizeof both);
    else
      memcpy(out + 4 * i, &both, size);
  }
}

/// Rounds one sample, in steps, and stores its error. The term of the last error comes last,
/// because every sample has to wait for it.
INLINE double round_shaped(double sample, double noise, double *e, double limit) {
  const double older = ((-2.165 * e[1] + 1.959 * e[2]) + (-1.590 * e[3] + 0.6149 * e[4]));
  const double target = (sample - older) - 2.033 * e[0];
  double result = ((target + noise) + WHOLE) - WHOLE;
  double error = result - target;
  if (__builtin_expect(!(result >= -limit && result <= limit - 1), 0)) {
    result = target + noise < -limit ? -limit : limit - 1;
    // Clipping is not compensated.
    error = result - target;
    error = error < -2 ? -2 : error > 2 ? 2 : error;
  }
  e[4] = e[3], e[3] = e[2], e[2] = e[1], e[1] = e[0], e[0] = error;
  return result;
}

INLINE double steps(float sample, double scale) { return (sample == sample ? sample : 0) * scale; }

INLINE void dither(float *const *out, const float *const *in, const int channels, long count,
                   double scale, double limit, int isShaped, DitherLine *const *lines) {
  if (!isShaped) {
    for (int c = 0; c < channels; c++) {
      if (lines[c]->isSecond)
        dither_flat(out[c], in[c], lines[c], count, (float)scale, (float)limit, 1);
      else
        dither_flat(out[c], in[c], lines[c], count, (float)scale, (float)limit, 0);
    }
    return;
  }
  double noise[2][BLOCK];
  const double step = 1 / scale;
  for (int c = 0; c < channels; c++) {
    if (lines[c]->isSecond)
      make_noise(noise[c], lines[c], count, 1);
    else
      make_noise(noise[c], lines[c], count, 0);
  }
  double e[2][5];
  for (int c = 0; c < channels; c++) memcpy(e[c], lines[c]->errors, sizeof e[c]);
  for (long i = 0; i < count; i++) {
    for (int c = 0; c < channels; c++) {
      const double sample = steps(in[c][i], scale);
      out[c][i] = (float)(round_shaped(sample, noise[c][i], e[c], limit) * step);
    }
  }
  for (int c = 0; c < channels; c++) memcpy(lines[c]->errors, e[c], sizeof e[c]);
}

/// Whether samples fill their two bytes, least significant first, with silence at zero.
INLINE int is_plain_16(const SampleLayout *l, int32_t empty) {
  return l->bytes == 2 && l->bits == 16 && !l->isBigEndian && !l->flip && empty == 0 &&
         l->scale == 0x1p15f;
}

/// Whether one hash serves two channels.
INLINE int is_pair(const DitherLine *left, const DitherLine *right) {
  return left->frame == right->frame && left->key == right->key && !left->isSecond && right->isSecond;
}

KERNEL_DISPATCHED
void kernel_encode_dithered(void *output, const float *const *input, long channels, long frames,
                            SampleLayout layout, int32_t empty, int32_t isShaped, void *lines,
                            long lineStride) {
  DitherLine *both[2] = {lines, (DitherLine *)((char *)lines + lineStride)};
  if (channels == 2 && !isShaped && is_plain_16(&layout, empty) && is_pair(both[0], both[1])) {
    for (long done = 0; done < frames;) {
      const Keys k = keys(both[0], frames - done);
      dither_pairs((uint8_t *)output + 4 * done, input[0] + done, input[1] + done, k, k.run);
      both[0]->frame = both[1]->frame = both[0]->frame + (uint64_t)k.run;
      done += k.run;
    }
    return;
  }
  float block[BLOCK * 8];
  const float *rounded[BLOCK];
  const double scale = layout.scale / (double)(1LL << empty);
  const double limit = (double)(1LL << (layout.bits - 1)) / (double)(1LL << empty);
  const long blockFrames = channels <= 8 ? BLOCK : BLOCK * 8 / channels;
  for (long c = 0; c < channels; c++) rounded[c] = block + c * blockFrames;
  for (long done = 0; done < frames; done += blockFrames) {
    const long run = frames - done < blockFrames ? frames - done : blockFrames;
    for (long c = 0; c < channels;) {
      // Two channels at a time: the error of one is fed back while the other is rounded.
      const long other = c + 1 < channels ? c + 1 : c;
      float *out[2] = {block + c * blockFrames, block + other * blockFrames};
      const float *in[2] = {input[c] + done, input[other] + done};
      DitherLine *own[2] = {(DitherLine *)((char *)lines + c * lineStride),
                            (DitherLine *)((char *)lines + other * lineStride)};
      if (other > c)
        dither(out, in, 2, run, scale, limit, isShaped, own);
      else
        dither(out, in, 1, run, scale, limit, isShaped, own);
      c = other + 1;
    }
    kernel_encode_frames((char *)output + done * channels * layout.bytes, rounded, channels, run,
                         layout);
  }
}
