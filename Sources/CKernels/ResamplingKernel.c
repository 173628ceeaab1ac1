// SPDX-License-Identifier: Apache-2.0

#include "ResamplingKernel.h"

#include <string.h>

#include "Dispatch.h"

#define LANES 16

typedef float Lanes __attribute__((vector_size(LANES * 4)));
typedef float HalfLanes __attribute__((vector_size(LANES * 2)));
typedef float QuarterLanes __attribute__((vector_size(LANES)));

#define LOAD(destination, source) memcpy(&(destination), source, sizeof(Lanes))

// The order of the additions is fixed, so that all processors agree to the bit.
#define HORIZONTAL_SUM(sum, lanes)                                                        \
  do {                                                                                    \
    HalfLanes h = __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3, 4, 5, 6, 7) +         \
                  __builtin_shufflevector(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15);    \
    QuarterLanes q =                                                                      \
        __builtin_shufflevector(h, h, 0, 1, 2, 3) + __builtin_shufflevector(h, h, 4, 5, 6, 7); \
    sum = (q[0] + q[2]) + (q[1] + q[3]);                                                  \
  } while (0)

#define ADVANCE(window, walk)        \
  do {                               \
    window += walk.whole;            \
    walk.phase += walk.part;         \
    if (walk.phase >= walk.modulus) { \
      walk.phase -= walk.modulus;    \
      window += 1;                   \
    }                                \
  } while (0)

KERNEL_DISPATCHED
void kernel_resample(float *output, long count, const float *input, const float *table, long taps,
                     ResamplingWalk walk) {
  const float *window = input;
  for (long i = 0; i < count; i++) {
    const float *row = table + (long)walk.phase * taps;
    Lanes even = {0}, odd = {0}, x, c;
    long k = 0;
    for (; k + 2 * LANES <= taps; k += 2 * LANES) {
      LOAD(x, window + k);
      LOAD(c, row + k);
      even += x * c;
      LOAD(x, window + k + LANES);
      LOAD(c, row + k + LANES);
      odd += x * c;
    }
    if (k < taps) {
      LOAD(x, window + k);
      LOAD(c, row + k);
      even += x * c;
    }
    even += odd;
    HORIZONTAL_SUM(output[i], even);
    ADVANCE(window, walk);
  }
}

KERNEL_DISPATCHED
void kernel_resample_interpolated(float *output, long count, const float *input,
                                  const float *table, long taps, long divisions,
                                  ResamplingWalk walk) {
  const float *window = input;
  const double scale = (double)divisions / (double)(int64_t)walk.modulus;
  for (long i = 0; i < count; i++) {
    const double place = (double)(int64_t)walk.phase * scale;
    long index = (long)place;
    // The last phase may round up to the next frame.
    if (index >= divisions) index = divisions - 1;
    const float t = (float)(place - (double)index);
    // Lagrange's cubic through the rows at -1, 0, 1 and 2.
    const float w0 = t * (t - 1) * (t - 2) * (-1.0f / 6);
    const float w1 = (t + 1) * (t - 1) * (t - 2) * 0.5f;
    const float w2 = (t + 1) * t * (t - 2) * -0.5f;
    const float w3 = (t + 1) * t * (t - 1) * (1.0f / 6);
    const float *row = table + index * taps;
    Lanes sum = {0};
    for (long k = 0; k < taps; k += LANES) {
      Lanes x, c0, c1, c2, c3;
      LOAD(x, window + k);
      LOAD(c0, row + k);
      LOAD(c1, row + k + taps);
      LOAD(c2, row + k + 2 * taps);
      LOAD(c3, row + k + 3 * taps);
      sum += x * ((w0 * c0 + w1 * c1) + (w2 * c2 + w3 * c3));
    }
    HORIZONTAL_SUM(output[i], sum);
    ADVANCE(window, walk);
  }
}
