// SPDX-License-Identifier: Apache-2.0

#include "MixKernel.h"

#include "Dispatch.h"

// Four sources per pass: the sum is read and written once for all of them.
KERNEL_DISPATCHED
void kernel_mix(float *restrict output, long count, const float *const *sources,
                const float *gains, long source_count) {
  long k = 0;
  if (source_count >= 4) {
    const float *a = sources[0], *b = sources[1], *c = sources[2], *d = sources[3];
    const float g0 = gains[0], g1 = gains[1], g2 = gains[2], g3 = gains[3];
    for (long i = 0; i < count; i++) {
      output[i] = (g0 * a[i] + g1 * b[i]) + (g2 * c[i] + g3 * d[i]);
    }
    k = 4;
  } else {
    const float *a = sources[0];
    const float g0 = gains[0];
    for (long i = 0; i < count; i++) output[i] = g0 * a[i];
    k = 1;
  }
  for (; k + 4 <= source_count; k += 4) {
    const float *a = sources[k], *b = sources[k + 1], *c = sources[k + 2], *d = sources[k + 3];
    const float g0 = gains[k], g1 = gains[k + 1], g2 = gains[k + 2], g3 = gains[k + 3];
    for (long i = 0; i < count; i++) {
      output[i] = output[i] + ((g0 * a[i] + g1 * b[i]) + (g2 * c[i] + g3 * d[i]));
    }
  }
  for (; k < source_count; k++) {
    const float *a = sources[k];
    const float g0 = gains[k];
    for (long i = 0; i < count; i++) output[i] = output[i] + g0 * a[i];
  }
}
