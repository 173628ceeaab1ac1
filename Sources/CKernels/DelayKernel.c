// SPDX-License-Identifier: Apache-2.0

#include "DelayKernel.h"

#include "Dispatch.h"

KERNEL_DISPATCHED
void kernel_echo(float *restrict samples, const float *restrict echo, float *restrict past,
                 long count, float feedback, float dry, float wet) {
  for (long i = 0; i < count; i++) {
    const float input = samples[i], delayed = echo[i];
    past[i] = input + delayed * feedback;
    samples[i] = input * dry + delayed * wet;
  }
}

KERNEL_DISPATCHED
void kernel_interpolation(float *restrict output, const float *restrict past, const float *taps,
                          long groups, long count) {
  for (long group = 0; group < groups; group++, past += 8, taps += 8) {
    const float t0 = taps[0], t1 = taps[1], t2 = taps[2], t3 = taps[3];
    const float t4 = taps[4], t5 = taps[5], t6 = taps[6], t7 = taps[7];
    for (long i = 0; i < count; i++) {
      const float sum =
          ((past[i] * t0 + past[i + 1] * t1) + (past[i + 2] * t2 + past[i + 3] * t3)) +
          ((past[i + 4] * t4 + past[i + 5] * t5) + (past[i + 6] * t6 + past[i + 7] * t7));
      output[i] = group == 0 ? sum : output[i] + sum;
    }
  }
}
