// SPDX-License-Identifier: Apache-2.0

#ifndef SAMPLE_KERNEL_H
#define SAMPLE_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"

/// How an integer sample of 1 to 32 bits lies in memory.
typedef struct SampleLayout {
  /// Bytes from one sample to the next: 1 to 4.
  int32_t bytes;
  /// 1 where the most significant byte comes first, else 0.
  int32_t isBigEndian;
  /// Bits that carry the sample.
  int32_t bits;
  /// Bits of padding above the sample; what is left of the container is padding below.
  int32_t padding;
  /// Added to the sample where silence is half the range, else 0: the upper bit alone.
  uint32_t flip;
  /// What one is as an integer of this format: a power of two.
  float scale;
} SampleLayout;

/// Converts `count` packed integers to floats. [any thread]
KERNEL_REAL_TIME void kernel_decode_samples(float *_Nonnull output, const void *_Nonnull input,
                                            long count, SampleLayout layout);

/// Parts `frames` frames of packed integers into `channels` runs of floats. [any thread]
///
/// There are 1 to 256 channels.
KERNEL_REAL_TIME void kernel_decode_frames(float *_Nonnull const *_Nonnull output, long channels,
                                           const void *_Nonnull input, long frames,
                                           SampleLayout layout);

/// Rounds `count` floats to packed integers: to the nearest, to the even one of two as near, clipped at
/// the range, and 0 for what is not a number. [any thread]
KERNEL_REAL_TIME void kernel_encode_samples(void *_Nonnull output, const float *_Nonnull input,
                                            long count, SampleLayout layout);

/// Weaves `channels` runs of floats, 1 to 256, into frames of packed integers. [any thread]
KERNEL_REAL_TIME void kernel_encode_frames(void *_Nonnull output,
                                           const float *_Nonnull const *_Nonnull input,
                                           long channels, long frames, SampleLayout layout);

/// Weaves `channels` runs of floats into frames. [any thread]
KERNEL_REAL_TIME void kernel_interleave(float *_Nonnull output,
                                        const float *_Nonnull const *_Nonnull input, long channels,
                                        long frames);

/// Parts frames into `channels` runs of floats. [any thread]
KERNEL_REAL_TIME void kernel_deinterleave(float *_Nonnull const *_Nonnull output, long channels,
                                          const float *_Nonnull input, long frames);

#endif
