// SPDX-License-Identifier: Apache-2.0

#include "ConvolutionKernel.h"

#include "Dispatch.h"

// Neighbouring outputs lie in lanes, so that each is summed in the order of the taps on every processor.
typedef float Long __attribute__((vector_size(32 * sizeof(float)), aligned(4), may_alias));
typedef float Short __attribute__((vector_size(8 * sizeof(float)), aligned(4), may_alias));

KERNEL_DISPATCHED
void kernel_convolution(float *output, const float *past, const float *response, long taps,
                        long count) {
  long i = 0;
  for (; i + 32 <= count; i += 32) {
    Long sums = {0};
    for (long k = 0; k < taps; k++) sums += response[k] * *(const Long *)(past + i + k);
    *(Long *)(output + i) = sums;
  }
  for (; i < count; i += 8) {
    Short sums = {0};
    for (long k = 0; k < taps; k++) sums += response[k] * *(const Short *)(past + i + k);
    if (i + 8 <= count) {
      *(Short *)(output + i) = sums;
    } else {
      for (long j = 0; j < count - i; j++) output[i + j] = sums[j];
    }
  }
}
