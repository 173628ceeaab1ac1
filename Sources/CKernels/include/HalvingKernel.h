// SPDX-License-Identifier: Apache-2.0

#ifndef HALVING_KERNEL_H
#define HALVING_KERNEL_H

#include "KernelAttributes.h"

/// Halves the rate: writes `count` outputs, and up to 7 unused numbers after them. [any thread]
///
/// Output i is half of `odd[i]` plus the sum, over `pairs`, of `coefficients[k]` times (`even[i -
/// k]` + `even[i + k + 1]`). Pairs are summed in blocks of 24, the outermost block first. Within a
/// block, pairs with the same index modulo eight come together, the highest remainder first and
/// within it the outermost pair.
KERNEL_REAL_TIME void kernel_halve(float *_Nonnull output, long count, const float *_Nonnull even,
                                   const float *_Nonnull odd, const float *_Nonnull coefficients,
                                   long pairs);

/// As `kernel_halve`, in single and double precision. The innermost pairs, whose coefficients are
/// `inner`, are summed in double precision. [any thread]
KERNEL_REAL_TIME void kernel_halve_fine(double *_Nonnull fine, float *_Nonnull output, long count,
                                        const float *_Nonnull even, const float *_Nonnull odd,
                                        const float *_Nonnull coefficients, long pairs,
                                        const double *_Nonnull inner, long innerPairs);

/// Splits `pairs` pairs of frames into the first and the second frame of each. [any thread]
KERNEL_REAL_TIME void kernel_split_pairs(float *_Nonnull first, float *_Nonnull second,
                                         const float *_Nonnull input, long pairs);

#endif
