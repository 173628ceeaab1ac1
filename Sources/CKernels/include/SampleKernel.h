// SPDX-License-Identifier: Apache-2.0

#ifndef SAMPLE_KERNEL_H
#define SAMPLE_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"

/// The memory layout of an integer sample of 1 to 32 bits.
typedef struct SampleLayout {
  /// Bytes per sample: 1 to 4.
  int32_t bytes;
  /// 1 if the most significant byte comes first, otherwise 0.
  int32_t isBigEndian;
  /// Bits that carry the sample.
  int32_t bits;
  /// Bits of padding above the sample; the rest of the container is padding below.
  int32_t padding;
  /// The upper bit if silence is half the range, otherwise 0; it is added to the sample.
  uint32_t flip;
  /// The integer that represents 1: a power of two.
  float scale;
} SampleLayout;

/// Converts `count` packed integers to floats. [any thread]
KERNEL_REAL_TIME void kernel_decode_samples(float *_Nonnull output, const void *_Nonnull input,
                                            long count, SampleLayout layout);

/// Deinterleaves `frames` frames of packed integers into `channels` runs of floats, 1 to 256.
/// [any thread]
KERNEL_REAL_TIME void kernel_decode_frames(float *_Nonnull const *_Nonnull output, long channels,
                                           const void *_Nonnull input, long frames,
                                           SampleLayout layout);

/// Rounds `count` floats to packed integers: to the nearest value, ties to even, clipped to the
/// range, and 0 for NaN. [any thread]
KERNEL_REAL_TIME void kernel_encode_samples(void *_Nonnull output, const float *_Nonnull input,
                                            long count, SampleLayout layout);

/// Interleaves `channels` runs of floats, 1 to 256, into frames of packed integers. [any thread]
KERNEL_REAL_TIME void kernel_encode_frames(void *_Nonnull output,
                                           const float *_Nonnull const *_Nonnull input,
                                           long channels, long frames, SampleLayout layout);

/// Interleaves `channels` runs of floats. [any thread]
KERNEL_REAL_TIME void kernel_interleave(float *_Nonnull output,
                                        const float *_Nonnull const *_Nonnull input, long channels,
                                        long frames);

/// Deinterleaves frames into `channels` runs of floats. [any thread]
KERNEL_REAL_TIME void kernel_deinterleave(float *_Nonnull const *_Nonnull output, long channels,
                                          const float *_Nonnull input, long frames);

#endif
