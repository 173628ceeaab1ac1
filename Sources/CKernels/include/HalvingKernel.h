// SPDX-License-Identifier: Apache-2.0

#ifndef HALVING_KERNEL_H
#define HALVING_KERNEL_H

#include "KernelAttributes.h"

/// Halves the rate: writes `count` outputs, and up to 7 numbers behind them. [any thread]
///
/// Output i is half of `odd[i]` and the sum, over `pairs`, of `coefficients[k]` times (`even[i - k]` +
/// `even[i + k + 1]`). Pairs are summed in blocks of 24, the outermost block first; in a block those whose
/// numbers leave the same rest when divided by eight come together, the highest rest first and in each the
/// outermost pair.
KERNEL_REAL_TIME void kernel_halve(float *_Nonnull output, long count, const float *_Nonnull even,
                                   const float *_Nonnull odd, const float *_Nonnull coefficients,
                                   long pairs);

/// The same in floats and in doubles; the innermost pairs, of which `inner` holds the coefficients, are
/// summed in doubles. [any thread]
KERNEL_REAL_TIME void kernel_halve_fine(double *_Nonnull fine, float *_Nonnull output, long count,
                                        const float *_Nonnull even, const float *_Nonnull odd,
                                        const float *_Nonnull coefficients, long pairs,
                                        const double *_Nonnull inner, long innerPairs);

/// Parts `pairs` pairs of frames into the first and the second of each. [any thread]
KERNEL_REAL_TIME void kernel_split_pairs(float *_Nonnull first, float *_Nonnull second,
                                  const float *_Nonnull input, long pairs);

#endif
