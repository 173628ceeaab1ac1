// SPDX-License-Identifier: Apache-2.0

#ifndef CONVOLUTION_KERNEL_H
#define CONVOLUTION_KERNEL_H

#include "KernelAttributes.h"

/// Writes `count` weighted sums of `taps` adjacent samples. The last weight of `response` belongs
/// to the latest sample; `past` begins with the samples of the first output. Input is read up to
/// the next multiple of eight outputs. [any thread]
KERNEL_REAL_TIME void kernel_convolution(float *_Nonnull output, const float *_Nonnull past,
                                         const float *_Nonnull response, long taps, long count);

/// Reads `count` frames at a delay that begins with `delay` and changes by `step` per frame,
/// limited to 0...`limit` frames. Each output is the sum of sixteen frames weighted by a row of
/// `rows`; there are 128 rows for the fractions of a frame, and two more. `now` is the first
/// output's frame at delay 0. [any thread]
KERNEL_REAL_TIME void kernel_moving_delay(float *_Nonnull output, const float *_Nonnull now,
                                          const float *_Nonnull rows, long count, float delay,
                                          float step, float limit);

#endif
