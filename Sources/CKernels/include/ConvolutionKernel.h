// SPDX-License-Identifier: Apache-2.0

#ifndef CONVOLUTION_KERNEL_H
#define CONVOLUTION_KERNEL_H

#include "KernelAttributes.h"

/// Writes `count` sums of `taps` neighbours, weighted by `response`, whose last number belongs to the
/// latest of them: `past` begins with those of the first output. It is read up to the next multiple of
/// eight outputs. [any thread]
KERNEL_REAL_TIME void kernel_convolution(float *_Nonnull output, const float *_Nonnull past,
                                         const float *_Nonnull response, long taps, long count);

/// Reads `count` frames at a distance that begins with `delay` and grows by `step`, between 0 and `limit`
/// frames: the sixteen frames up to each, weighted by a row of `rows`, of which there are 128 for the parts
/// of a frame and two more. `now` is the frame at distance 0 of the first output. [any thread]
KERNEL_REAL_TIME void kernel_moving_delay(float *_Nonnull output, const float *_Nonnull now,
                                          const float *_Nonnull rows, long count, float delay,
                                          float step, float limit);

#endif
