// SPDX-License-Identifier: Apache-2.0

#ifndef DITHER_KERNEL_H
#define DITHER_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"
#include "SampleKernel.h"

/// One channel's position in its noise, and its last rounding errors.
typedef struct DitherLine {
  /// Number of the next frame, and key of the channel's noise.
  uint64_t frame;
  uint64_t key;
  /// 1 for the second channel of a pair with the same key, whose noise is another; otherwise 0.
  uint64_t isSecond;
  /// The last five rounding errors, in steps, the latest first.
  double errors[5];
} DitherLine;

/// Adds triangular noise to `channels` runs of floats, 1 to 256, rounds them to an integer format,
/// and interleaves them: to the nearest value, ties to even, clipped to the range, and 0 for NaN.
/// [any thread]
///
/// `empty` is the number of low bits of the format that stay zero; at most 24 remain. `isShaped`
/// feeds the error back. Each channel has a `DitherLine`, `lineStride` bytes after that of the
/// channel before.
KERNEL_REAL_TIME void kernel_encode_dithered(void *_Nonnull output,
                                             const float *_Nonnull const *_Nonnull input,
                                             long channels, long frames, SampleLayout layout,
                                             int32_t empty, int32_t isShaped, void *_Nonnull lines,
                                             long lineStride);

#endif
