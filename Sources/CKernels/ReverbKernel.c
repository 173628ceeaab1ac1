// SPDX-License-Identifier: Apache-2.0

#include "ReverbKernel.h"

#include "Dispatch.h"

// Plain loops over time: the compiler vectorizes them for each processor. No iteration reads what
// another one writes.
#define ALONG_TIME _Pragma("clang loop vectorize(assume_safety) interleave_count(1)")

KERNEL_DISPATCHED
void kernel_symmetric_filter(float *output, long count, const float *past, const float *taps) {
  const float middle = taps[0], near = taps[1], far = taps[2], last = taps[3];
  ALONG_TIME
  for (long i = 0; i < count; i++) {
    output[i] = ((past[i + 3] * middle + (past[i + 2] + past[i + 4]) * near) +
                 (past[i + 1] + past[i + 5]) * far) +
                (past[i] + past[i + 6]) * last;
  }
}

#define HADAMARD(a, b, c, d)                             \
  do {                                                   \
    const float sum = a + b, difference = a - b;         \
    const float otherSum = c + d, otherDifference = c - d; \
    a = sum + otherSum;                                  \
    b = difference + otherDifference;                    \
    c = sum - otherSum;                                  \
    d = difference - otherDifference;                    \
  } while (0)

#define ROTATE(a, b, k)                                \
  do {                                                 \
    const float rotated = a * cosine##k - b * sine##k; \
    b = a * sine##k + b * cosine##k;                   \
    a = rotated;                                       \
  } while (0)

KERNEL_DISPATCHED
void kernel_network(const NetworkRun *run) {
  const float *delayed = run->lineOutputs, *left = run->input[0], *right = run->input[1];
  const float *cosines0 = run->cosines[0], *cosines1 = run->cosines[1];
  const float *sines0 = run->sines[0], *sines1 = run->sines[1];
  float *lines = run->lines, *leftOutput = run->output[0], *rightOutput = run->output[1];
  const long row = run->row, distance = run->distance, count = run->count;
  ALONG_TIME
  for (long i = 0; i < count; i++) {
    float x0 = delayed[i], x1 = delayed[row + i], x2 = delayed[2 * row + i];
    float x3 = delayed[3 * row + i];
    float x4 = delayed[4 * row + i], x5 = delayed[5 * row + i], x6 = delayed[6 * row + i];
    float x7 = delayed[7 * row + i], x8 = delayed[8 * row + i], x9 = delayed[9 * row + i];
    float x10 = delayed[10 * row + i], x11 = delayed[11 * row + i], x12 = delayed[12 * row + i];
    float x13 = delayed[13 * row + i], x14 = delayed[14 * row + i], x15 = delayed[15 * row + i];
    const float middle = left[i] + right[i], side = left[i] - right[i];
    const float cosine0 = cosines0[i], cosine1 = cosines1[i];
    const float sine0 = sines0[i], sine1 = sines1[i];
    // The signs keep low frequencies from adding up.
    const float even = ((x0 - x2) + (x4 + x6)) + ((x8 - x10) - (x12 + x14));
    const float odd = ((x1 + x3) - (x5 - x7)) + ((x9 + x11) - (x13 - x15));
    leftOutput[i] = even + odd;
    rightOutput[i] = even - odd;
    HADAMARD(x0, x1, x2, x3);
    HADAMARD(x4, x5, x6, x7);
    HADAMARD(x8, x9, x10, x11);
    HADAMARD(x12, x13, x14, x15);
    HADAMARD(x0, x4, x8, x12);
    HADAMARD(x1, x5, x9, x13);
    HADAMARD(x2, x6, x10, x14);
    HADAMARD(x3, x7, x11, x15);
    ROTATE(x0, x1, 0);
    ROTATE(x2, x3, 1);
    ROTATE(x5, x4, 0);
    ROTATE(x7, x6, 1);
    ROTATE(x8, x9, 0);
    ROTATE(x10, x11, 1);
    ROTATE(x13, x12, 0);
    ROTATE(x15, x14, 1);
    lines[i] = x0 + middle;
    lines[distance + i] = x1 + side;
    lines[2 * distance + i] = x2 + middle;
    lines[3 * distance + i] = x3 - side;
    lines[4 * distance + i] = x4 - middle;
    lines[5 * distance + i] = x5 + side;
    lines[6 * distance + i] = x6 + middle;
    lines[7 * distance + i] = x7 + side;
    lines[8 * distance + i] = x8 - middle;
    lines[9 * distance + i] = x9 - side;
    lines[10 * distance + i] = x10 + middle;
    lines[11 * distance + i] = x11 + side;
    lines[12 * distance + i] = x12 - middle;
    lines[13 * distance + i] = x13 + side;
    lines[14 * distance + i] = x14 - middle;
    lines[15 * distance + i] = x15 - side;
  }
}
