// SPDX-License-Identifier: Apache-2.0

#ifndef DELAY_KERNEL_H
#define DELAY_KERNEL_H

#include "KernelAttributes.h"

/// Writes `samples` + `feedback` · `echo` to `past`, and `dry` · `samples` + `wet` · `echo` to
/// `samples`. The buffers do not overlap. [any thread]
KERNEL_REAL_TIME void kernel_echo(float *_Nonnull samples, const float *_Nonnull echo,
                                  float *_Nonnull past, long count, float feedback, float dry,
                                  float wet);

/// Writes weighted sums of adjacent samples; `taps` has eight weights for each group, and `past`
/// begins with the samples of the first output. [any thread]
KERNEL_REAL_TIME void kernel_interpolation(float *_Nonnull output, const float *_Nonnull past,
                                           const float *_Nonnull taps, long groups,
                                           long count);

#endif
