// SPDX-License-Identifier: Apache-2.0

#include "DynamicsKernel.h"

#include <string.h>

#include "Dispatch.h"

// Plain loops, which the compiler vectorizes for each processor. The polynomials are those of
// Elementary+Float.swift, operation for operation.

static inline float logarithm(float value) {
  int32_t from_root;
  memcpy(&from_root, &value, sizeof value);
  from_root -= 0x3f3504f3;
  int32_t bits = (from_root & 0x007fffff) + 0x3f3504f3;
  float mantissa;
  memcpy(&mantissa, &bits, sizeof bits);
  float t = mantissa - 1;
  float p = t * -0x1.2a82f8p-3f + 0x1.e522aap-3f;
  p = p * t + -0x1.00100ap-2f;
  p = p * t + 0x1.2596ecp-2f;
  p = p * t + -0x1.70bafp-2f;
  p = p * t + 0x1.ec7b6p-2f;
  p = p * t + -0x1.7155b8p-1f;
  p = p * t + 0x1.715472p+0f;
  return p * t + (float)(from_root >> 23);
}

static inline float power(float value) {
  float x = value > -126 ? value : -126;
  x = x < 127 ? x : 127;
  float shifted = x + 0x1.8p23f;
  float f = x - (shifted - 0x1.8p23f);
  float p = f * 0x1.448fa4p-13f + 0x1.5f4774p-10f;
  p = p * f + 0x1.3b29aap-7f;
  p = p * f + 0x1.c6aedp-5f;
  p = p * f + 0x1.ebfbep-3f;
  p = p * f + 0x1.62e43p-1f;
  p = p * f + 1;
  uint32_t bits;
  memcpy(&bits, &shifted, sizeof shifted);
  bits = (bits + 127) << 23;
  float scale;
  memcpy(&scale, &bits, sizeof bits);
  return p * scale;
}

KERNEL_DISPATCHED
void kernel_compression(float *levels, long count, float threshold, float threshold_step,
                        float head_room, float head_room_step) {
  for (long i = 0; i < count; i++) {
    float frame = (float)(int32_t)i;
    float level = levels[i] > 0x1p-40f ? levels[i] : 0x1p-40f;
    float over = logarithm(level) * 6.0205999f - (threshold_step * frame + threshold);
    float above = over > 0 ? over : 0;
    levels[i] = above * above / (head_room_step * frame + head_room + above);
  }
}

KERNEL_DISPATCHED
void kernel_gains(float *decibels, long count, float gain, float gain_step) {
  for (long i = 0; i < count; i++) {
    float frame = (float)(int32_t)i;
    decibels[i] = power((gain_step * frame + gain - decibels[i]) * 0x1.542a5ap-3f);
  }
}
