// SPDX-License-Identifier: Apache-2.0

#include "SineKernel.h"

#include <string.h>

#include "Dispatch.h"

#define LANES 16

typedef uint64_t Phases __attribute__((vector_size(LANES * 8)));
typedef uint32_t HalfPhases __attribute__((vector_size(LANES * 8)));
typedef uint32_t Words __attribute__((vector_size(LANES * 4)));
typedef int32_t Integers __attribute__((vector_size(LANES * 4)));
typedef float Samples __attribute__((vector_size(LANES * 4)));

static const Phases laneNumbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const Phases laneTriangles = {0,  0,  1,  3,  6,  10, 15, 21,
                                     28, 36, 45, 55, 66, 78, 91, 105};
static const Samples laneCounts = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Phases are measured from the peak of the sine, so that one absolute value folds a cycle.
#define QUARTER_CYCLE 0x4000000000000000u

// The upper halves of 64-bit phases: 2^-32 of a cycle is 30 dB finer than a float's mantissa.
#define UPPER_HALVES(phases)                                                                     \
  __builtin_shufflevector((HalfPhases)(phases), (HalfPhases)(phases), 1, 3, 5, 7, 9, 11, 13, 15, \
                          17, 19, 21, 23, 25, 27, 29, 31)

// With t the folded phase in quarter cycles, -1...1: an odd minimax polynomial of degree nine
// (error -169 dB). It is t + t * p(t^2), not t * q(t^2): the larger term is then exact, which
// gains 3 dB, and no sample exceeds one (tried with every 32-bit phase).
#define SINE(samples, phases)                                                  \
  do {                                                                         \
    Integers fromCrest = (Integers)UPPER_HALVES(phases);                       \
    Words distance = (Words)__builtin_elementwise_abs(fromCrest);              \
    Integers folded = (Integers)(0x40000000u - distance);                      \
    Samples t = __builtin_convertvector(folded, Samples) * (1.0f / (1 << 30)); \
    Samples z = t * t;                                                         \
    Samples p = z * 0x1.3c4b2cp-13f + -0x1.3232fap-8f;                         \
    p = p * z + 0x1.46676ep-4f;                                                \
    p = p * z + -0x1.4abbb6p-1f;                                               \
    p = p * z + 0x1.243f6ap-1f;                                                \
    samples = p * t + t;                                                       \
  } while (0)

KERNEL_DISPATCHED
void kernel_sine(float *output, long count, uint64_t phase, uint64_t increment, float amplitude) {
  Phases phases = laneNumbers * increment + (phase - QUARTER_CYCLE);
  const uint64_t stride = LANES * increment;
  Samples samples;
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    SINE(samples, phases);
    samples *= amplitude;
    memcpy(output + i, &samples, sizeof samples);
    phases += stride;
  }
  if (i < count) {
    SINE(samples, phases);
    samples *= amplitude;
    memcpy(output + i, &samples, (size_t)(count - i) * sizeof(float));
  }
}

KERNEL_DISPATCHED
void kernel_sine_ramp(float *output, long count, uint64_t phase, uint64_t increment,
                      uint64_t increment_step, float amplitude, float amplitude_step) {
  Phases phases = laneNumbers * increment + laneTriangles * increment_step;
  phases += phase - QUARTER_CYCLE;
  // The distance of each lane to its next sample, which itself grows linearly.
  Phases strides = laneNumbers * (LANES * increment_step);
  strides += LANES * increment + LANES * (LANES - 1) / 2 * increment_step;
  const uint64_t stride_step = LANES * LANES * increment_step;
  Samples counts = laneCounts;
  Samples samples;
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    SINE(samples, phases);
    samples *= counts * amplitude_step + amplitude;
    memcpy(output + i, &samples, sizeof samples);
    phases += strides;
    strides += stride_step;
    counts += LANES;
  }
  if (i < count) {
    SINE(samples, phases);
    samples *= counts * amplitude_step + amplitude;
    memcpy(output + i, &samples, (size_t)(count - i) * sizeof(float));
  }
}
