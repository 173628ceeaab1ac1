// SPDX-License-Identifier: Apache-2.0

#ifndef CONVOLUTION_KERNEL_H
#define CONVOLUTION_KERNEL_H

#include "KernelAttributes.h"

/// Writes `count` sums of `taps` neighbours, weighted by `response`, whose last number belongs to the
/// latest of them: `past` begins with those of the first output. It is read up to the next multiple of
/// eight outputs. [any thread]
KERNEL_REAL_TIME void kernel_convolution(float *_Nonnull output, const float *_Nonnull past,
                                         const float *_Nonnull response, long taps, long count);

#endif
