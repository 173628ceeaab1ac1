// SPDX-License-Identifier: Apache-2.0

#ifndef REVERB_KERNEL_H
#define REVERB_KERNEL_H

#include "KernelAttributes.h"

/// Some frames of the sixteen lines of a feedback delay network.
typedef struct NetworkRun {
  long count;
  /// What comes out of each line: sixteen rows, each `row` samples after the one before.
  const float *_Nonnull lineOutputs;
  long row;
  /// Where each line is written, `distance` samples after the one before.
  float *_Nonnull lines;
  long distance;
  /// Two pairs of tables: cosine and sine of the angle at each frame.
  const float *_Nonnull cosines[2];
  const float *_Nonnull sines[2];
  /// Both sides of the input and of the output, which may lie at the same place.
  const float *_Nonnull input[2];
  float *_Nonnull output[2];
} NetworkRun;

/// A symmetric filter of seven taps along `past`, which begins three samples before the middle of the
/// first output. `taps` are the middle and one side. [any thread]
KERNEL_REAL_TIME void kernel_symmetric_filter(float *_Nonnull output, long count,
                                              const float *_Nonnull past,
                                              const float *_Nonnull taps);

/// The frames of a run: listens to all lines, sends them through a Hadamard matrix (without its scale
/// of a quarter) and through rotations of neighbours, and with the input into the lines. [any thread]
KERNEL_REAL_TIME void kernel_network(const NetworkRun *_Nonnull run);

#endif
