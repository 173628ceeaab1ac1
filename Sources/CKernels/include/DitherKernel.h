// SPDX-License-Identifier: Apache-2.0

#ifndef DITHER_KERNEL_H
#define DITHER_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"
#include "SampleKernel.h"

/// One channel's place in its noise, and what its last samples erred by.
typedef struct DitherLine {
  /// The number of the next frame, and the key of the channel's noise.
  uint64_t frame;
  uint64_t key;
  /// What the last five samples erred by, in steps, the latest first.
  double errors[5];
} DitherLine;

/// Rounds `channels` runs of floats, 1 to 256, to steps of an integer format after a noise of triangular
/// distribution, and weaves them into frames: to the nearest, to the even one of two as near, clipped at
/// the range, and 0 for what is not a number. [any thread]
///
/// `empty`: the lowest bits of the format that stay empty; at most 24 are left. `isShaped` feeds the error
/// back. Each channel has a line, `lineStride` bytes after that of the channel before.
KERNEL_REAL_TIME void kernel_encode_dithered(void *_Nonnull output,
                                             const float *_Nonnull const *_Nonnull input,
                                             long channels, long frames, SampleLayout layout,
                                             int32_t empty, int32_t isShaped, void *_Nonnull lines,
                                             long lineStride);

#endif
