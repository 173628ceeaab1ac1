// SPDX-License-Identifier: Apache-2.0

#ifndef RESAMPLING_KERNEL_H
#define RESAMPLING_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"

/// The start of the first output's window in the input, and its movement per output.
///
/// The fraction of an input frame is `phase / modulus`; a step is `whole + part / modulus` frames.
/// With `steps`, each output has its own step, in units of 1 / 2^56, and `modulus` is 2^56.
typedef struct ResamplingWalk {
  uint64_t phase;
  uint64_t whole;
  uint64_t part;
  uint64_t modulus;
  const uint64_t *_Nullable steps;
} ResamplingWalk;

/// Rows of coefficients, in groups whose outputs share one window of the input.
///
/// A row has a coefficient for each frame of the window, 0 for those outside its filter. The sum is
/// made of vectors of eight frames in single precision, first in pairs, then perhaps a single one;
/// and of the inner frames, which have the large coefficients, in double precision, even and odd
/// ones separately.
typedef struct ResamplingRows {
  /// Vectors in the order of reading; each one for all rows of the group.
  const float *_Nonnull outer;
  /// For each inner frame, the coefficients of all rows of a group; groups of 3 and of 7 are padded
  /// with a zero.
  const double *_Nonnull inner;
  /// First frame of each group's window.
  const int32_t *_Nonnull starts;
  /// Groups after which the rows repeat, `period` frames further.
  long groups;
  long period;
  /// Rows of a group: 2 to 4; with inner frames, 3, 4, 7 or 8.
  long group;
  /// Pairs of vectors that are summed in single precision, at least one. The first of a pair starts
  /// at frame 0 of the window and moves by `firstStep` frames, the other starts at frame `second`
  /// and moves by `secondStep`.
  long pairs;
  long second;
  long firstStep;
  long secondStep;
  /// Frame of the single vector, or -1.
  long rest;
  /// Number of inner frames, even, and the first of them.
  long innerCount;
  long innerStart;
  /// Number of vectors of a window if there are three or four, read from both ends inwards, and no
  /// inner frames; otherwise 0.
  long shortVectors;
} ResamplingRows;

/// Writes `count` outputs from row `first` on; `input` is the start of its group's window.
/// [any thread]
///
/// `fine` is the input in double precision; it is read if there are inner frames.
KERNEL_REAL_TIME void kernel_resample(float *_Nonnull output, long count,
                                      const float *_Nonnull input, const double *_Nonnull fine,
                                      const ResamplingRows *_Nonnull rows, long first);

/// Writes `count` outputs of `channels` channels, from `offset` on, with coefficients interpolated
/// between four rows of `table`. [any thread]
///
/// The input channels are `stride` frames apart. `table` has `divisions + 3` rows of `taps`
/// coefficients, for the phases -1 to `divisions + 1` in units of 1 / `divisions` of an input
/// frame; `taps` is a multiple of 8.
KERNEL_REAL_TIME void kernel_resample_interpolated(float *_Nonnull const *_Nonnull output,
                                                   long offset, long count,
                                                   const float *_Nonnull input, long stride,
                                                   long channels, const float *_Nonnull table,
                                                   long taps, long divisions, ResamplingWalk walk);

/// Adds to such outputs those of a table in double precision, which has the `taps` largest
/// coefficients of each row, with zeros in their place in the other table; `input` is the first
/// window's frame of the first of them, and `fine`, if given, the same in double precision.
/// [any thread]
KERNEL_REAL_TIME void kernel_add_interpolated(float *_Nonnull const *_Nonnull output, long offset,
                                              long count, const float *_Nonnull input,
                                              const double *_Nullable fine, long stride,
                                              long channels, const double *_Nonnull table,
                                              long taps, long divisions, ResamplingWalk walk);

/// Converts `count` samples to double precision. [any thread]
KERNEL_REAL_TIME void kernel_widen(double *_Nonnull output, const float *_Nonnull input, long count);

#endif
