// SPDX-License-Identifier: Apache-2.0

#ifndef RESAMPLING_KERNEL_H
#define RESAMPLING_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"

/// Where the window of the first output starts in the input, and how far it moves per output.
///
/// The fraction of an input frame is `phase / modulus`; a step is `whole + part / modulus` frames.
typedef struct ResamplingWalk {
  uint64_t phase;
  uint64_t whole;
  uint64_t part;
  uint64_t modulus;
} ResamplingWalk;

/// Writes `count` outputs, each the dot product of a window of `input` with the row of `table` for
/// its phase. [any thread]
///
/// `table` has `modulus` rows of `taps` coefficients; `taps` is a multiple of 16.
KERNEL_REAL_TIME void kernel_resample(float *_Nonnull output, long count,
                                      const float *_Nonnull input, const float *_Nonnull table,
                                      long taps, ResamplingWalk walk);

/// Writes `count` outputs with coefficients interpolated between four rows of `table`. [any thread]
///
/// `table` has `divisions + 3` rows of `taps` coefficients, for the phases -1 to `divisions + 1` in
/// units of 1 / `divisions` of an input frame; `taps` is a multiple of 16.
KERNEL_REAL_TIME void kernel_resample_interpolated(float *_Nonnull output, long count,
                                                   const float *_Nonnull input,
                                                   const float *_Nonnull table, long taps,
                                                   long divisions, ResamplingWalk walk);

#endif
