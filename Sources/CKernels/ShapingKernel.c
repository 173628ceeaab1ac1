// SPDX-License-Identifier: Apache-2.0

#include "ShapingKernel.h"

#include <stdint.h>

#include "Dispatch.h"

// A plain loop, which the compiler vectorizes for each processor.

static inline float limit(float value, float limit) {
  float x = value < limit ? value : limit;
  return x > -limit ? x : -limit;
}

static inline float at(ShapingLine line, float place) { return line.start + line.step * place; }

KERNEL_DISPATCHED
void kernel_shape(float *samples, long count, const ShapingLines *lines) {
  const ShapingLines l = *lines;
  for (long i = 0; i < count; i++) {
    const float place = (float)(int32_t)i;
    const float x = limit(samples[i], 0x1p30f);
    const float bent = ((at(l.cubed, place) * x + at(l.squared, place)) * x + at(l.linear, place)) * x;
    const float mixed = x + (bent - x) * at(l.mix, place);
    const float y = limit(mixed * at(l.gain, place), 3);
    const float square = y * y;
    samples[i] = y * (27 + square) / (27 + 9 * square);
  }
}
