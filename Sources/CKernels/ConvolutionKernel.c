// SPDX-License-Identifier: Apache-2.0

#include "ConvolutionKernel.h"

#include "Dispatch.h"

// Lanes hold adjacent outputs, so that each is summed in the order of the taps on every processor.
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

typedef float Row __attribute__((vector_size(16 * sizeof(float)), aligned(4), may_alias));
typedef float Four __attribute__((vector_size(4 * sizeof(float))));

KERNEL_DISPATCHED
void kernel_moving_delay(float *output, const float *now, const float *rows, long count,
                         float delay, float step, float limit) {
  for (long i = 0; i < count; i++) {
    float distance = delay + step * (float)i;
    // NaN becomes zero.
    distance = distance > 0 ? (limit < distance ? limit : distance) : 0;
    const int whole = (int)distance;
    const float position = (distance - (float)whole) * 128;
    const int line = (int)position;
    const Row low = *(const Row *)(rows + 16 * line), high = *(const Row *)(rows + 16 * line + 16);
    const Row taps = low + (high - low) * (position - (float)line);
    const Row product = *(const Row *)(now + i - whole - 15) * taps;
    const Short eight = __builtin_shufflevector(product, product, 0, 1, 2, 3, 4, 5, 6, 7) +
                        __builtin_shufflevector(product, product, 8, 9, 10, 11, 12, 13, 14, 15);
    const Four four = __builtin_shufflevector(eight, eight, 0, 1, 2, 3) +
                      __builtin_shufflevector(eight, eight, 4, 5, 6, 7);
    output[i] = (four[0] + four[2]) + (four[1] + four[3]);
  }
}
