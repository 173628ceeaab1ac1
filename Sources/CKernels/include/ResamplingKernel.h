// SPDX-License-Identifier: Apache-2.0

#ifndef RESAMPLING_KERNEL_H
#define RESAMPLING_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"

/// Where the window of the first output starts in the input, and how far it moves per output.
///
/// The fraction of an input frame is `phase / modulus`; a step is `whole + part / modulus` frames. With
/// `steps` each output has a step of its own, in units of 1 / 2^56, which `modulus` is then.
typedef struct ResamplingWalk {
  uint64_t phase;
  uint64_t whole;
  uint64_t part;
  uint64_t modulus;
  const uint64_t *_Nullable steps;
} ResamplingWalk;

/// Rows of coefficients, in groups whose outputs share one window of the input.
///
/// A row has a coefficient for each frame of the window, 0 for those that are not its own. A window is
/// summed by vectors of eight frames in floats, first pairs of vectors, then one that may be left over; of
/// what is left, the inner frames, where the large coefficients are, in doubles, the even and the odd ones.
typedef struct ResamplingRows {
  /// Vectors in the order in which they are read; of each, those of all rows of the group in turn.
  const float *_Nonnull outer;
  /// Of each inner frame those of all rows of a group: of 3 rows, and of 7, there is one more, zeros.
  const double *_Nonnull inner;
  /// Frame at which each group's window starts.
  const int32_t *_Nonnull starts;
  /// Groups after which they begin again, `period` frames further.
  long groups;
  long period;
  /// Rows of a group: 2 to 4; with inner frames, 3, 4, 7 or 8.
  long group;
  /// Pairs of vectors that are summed in floats, at least one. The first of a pair moves from frame 0 of the window on
  /// by `firstStep` frames, the other from frame `second` on by `secondStep`.
  long pairs;
  long second;
  long firstStep;
  long secondStep;
  /// Frame of the vector that is left over, or -1.
  long rest;
  /// Inner frames, an even number, and the first of them.
  long innerCount;
  long innerStart;
  /// Vectors of a window that has three or four of them, read from both ends inwards, and no inner frames; else 0.
  long shortVectors;
} ResamplingRows;

/// Writes `count` outputs from row `first` on, the window of whose group starts at `input`. [any thread]
///
/// `fine` holds the input in doubles; it is read where there are inner frames.
KERNEL_REAL_TIME void kernel_resample(float *_Nonnull output, long count,
                                      const float *_Nonnull input, const double *_Nonnull fine,
                                      const ResamplingRows *_Nonnull rows, long first);

/// Writes `count` outputs of `channels` channels, from `offset` on, with coefficients interpolated
/// between four rows of `table`. [any thread]
///
/// The channels of the input lie `stride` frames apart. `table` has `divisions + 3` rows of `taps`
/// coefficients, for the phases -1 to `divisions + 1` in units of 1 / `divisions` of an input frame;
/// `taps` is a multiple of 8.
KERNEL_REAL_TIME void kernel_resample_interpolated(float *_Nonnull const *_Nonnull output,
                                                   long offset, long count,
                                                   const float *_Nonnull input, long stride,
                                                   long channels, const float *_Nonnull table,
                                                   long taps, long divisions, ResamplingWalk walk);

/// Writes `count` samples in doubles. [any thread]
KERNEL_REAL_TIME void kernel_widen(double *_Nonnull output, const float *_Nonnull input, long count);

#endif
