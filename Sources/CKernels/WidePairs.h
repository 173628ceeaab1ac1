// SPDX-License-Identifier: Apache-2.0
//
// Eight frames of two channels in the instructions of AVX2: vectors of clang cannot say that a
// conversion rounds to the nearest or that packing clips.

#ifndef KERNEL_WIDE_PAIRS_H
#define KERNEL_WIDE_PAIRS_H

#include "Dispatch.h"
#include "Vectors.h"

#ifdef KERNEL_HAS_DISPATCH

#include <immintrin.h>

#define WIDE_TARGET __attribute__((target("avx2")))
#define WIDE_INLINE WIDE_TARGET INLINE

// Whether the processor has them. [any thread]
INLINE int has_wide_pairs(void) { return __builtin_cpu_supports("avx2"); }

// Eight samples in steps; what is no number becomes zero.
WIDE_INLINE __m256 wide_steps(const float *in, float scale) {
  const __m256 x = _mm256_loadu_ps(in);
  return _mm256_mul_ps(_mm256_and_ps(x, _mm256_cmp_ps(x, x, _CMP_ORD_Q)), _mm256_set1_ps(scale));
}

// Writes integers that are clipped to 16 bits.
WIDE_INLINE void store_pairs_16(uint8_t *out, __m256i left, __m256i right) {
  const __m256i order = _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0, 1, 8,
                                         9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
  const __m256i both = _mm256_shuffle_epi8(_mm256_packs_epi32(left, right), order);
  _mm256_storeu_si256((__m256i *)out, both);
}

// A number too large would become the lowest one; one too low already is that.
WIDE_INLINE __m256i wide_16(const float *in) {
  const __m256 x = wide_steps(in, 0x1p15f);
  return _mm256_cvtps_epi32(_mm256_min_ps(x, _mm256_set1_ps(0x1p15f)));
}

WIDE_INLINE void wide_pairs_16(uint8_t *out, const float *left, const float *right) {
  store_pairs_16(out, wide_16(left), wide_16(right));
}

WIDE_INLINE __m256i wide_24(const float *in) {
  const __m256 x = _mm256_max_ps(wide_steps(in, 0x1p23f), _mm256_set1_ps(-0x1p23f));
  return _mm256_cvtps_epi32(_mm256_min_ps(x, _mm256_set1_ps(0x1p23f - 1)));
}

// Each piece of two frames is written with four bytes that the next one overwrites.
WIDE_INLINE void wide_pairs_24(uint8_t *out, const float *left, const float *right) {
  const __m256i l = wide_24(left), r = wide_24(right);
  const __m256i order = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, 0, 1, 2,
                                         4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
  const __m256i even = _mm256_shuffle_epi8(_mm256_unpacklo_epi32(l, r), order);
  const __m256i odd = _mm256_shuffle_epi8(_mm256_unpackhi_epi32(l, r), order);
  const __m128i last = _mm256_extracti128_si256(odd, 1);
  _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(even));
  _mm_storeu_si128((__m128i *)(out + 12), _mm256_castsi256_si128(odd));
  _mm_storeu_si128((__m128i *)(out + 24), _mm256_extracti128_si256(even, 1));
  memcpy(out + 36, &last, 12);
}

// What is too large becomes the lowest number, and then the highest one where its bits are inverted.
WIDE_INLINE __m256i wide_32(const float *in) {
  const __m256 x = wide_steps(in, 0x1p31f);
  const __m256 isOver = _mm256_cmp_ps(x, _mm256_set1_ps(0x1p31f), _CMP_GE_OQ);
  return _mm256_xor_si256(_mm256_cvtps_epi32(x), _mm256_castps_si256(isOver));
}

WIDE_INLINE void wide_pairs_32(uint8_t *out, const float *left, const float *right) {
  const __m256i l = wide_32(left), r = wide_32(right);
  const __m256i even = _mm256_unpacklo_epi32(l, r), odd = _mm256_unpackhi_epi32(l, r);
  _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(even, odd, 0x20));
  _mm256_storeu_si256((__m256i *)(out + 32), _mm256_permute2x128_si256(even, odd, 0x31));
}

#endif
#endif
