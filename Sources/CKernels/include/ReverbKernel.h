// SPDX-License-Identifier: Apache-2.0

#ifndef REVERB_KERNEL_H
#define REVERB_KERNEL_H

#include "KernelAttributes.h"

/// A run of the sixteen lines of a feedback delay network.
typedef struct NetworkRun {
  long count;
  /// The outputs of the lines: sixteen rows, each `row` samples after the one before.
  const float *_Nonnull lineOutputs;
  long row;
  /// The write position of each line, `distance` samples after the one before.
  float *_Nonnull lines;
  long distance;
  /// Two pairs of tables: cosine and sine of the angle at each frame.
  const float *_Nonnull cosines[2];
  const float *_Nonnull sines[2];
  /// Both channels of the input and of the output, which may be the same memory.
  const float *_Nonnull input[2];
  float *_Nonnull output[2];
} NetworkRun;

/// Applies a symmetric filter of seven taps to `past`, which begins three samples before the centre
/// of the first output. `taps` are the centre and one side. [any thread]
KERNEL_REAL_TIME void kernel_symmetric_filter(float *_Nonnull output, long count,
                                              const float *_Nonnull past,
                                              const float *_Nonnull taps);

/// Processes a run: the outputs of the lines pass a Hadamard matrix (without its factor of a
/// quarter) and rotations of adjacent lines, and are written to the lines together with the input.
/// [any thread]
KERNEL_REAL_TIME void kernel_network(const NetworkRun *_Nonnull run);

#endif
