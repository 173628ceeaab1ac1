// SPDX-License-Identifier: Apache-2.0

#ifndef STRETCH_KERNEL_H
#define STRETCH_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"

/// The factors of a real Fourier transform of `2 * count` samples, computed as `count` complex
/// numbers in eight lanes: lane v transforms the numbers v, v + 8, v + 16 and so on, `count / 8` of
/// them.
typedef struct StretchTransform {
  long count;
  /// Six for each butterfly, pass after pass: cosine and minus sine of its angle, and of twice and
  /// three times the angle.
  const float *_Nonnull factors;
  /// Factors of the last pass, which joins the lanes: `count` each.
  const float *_Nonnull lastReal;
  const float *_Nonnull lastImaginary;
  /// Cosine and minus sine of k / (2 * `count`) of a full turn.
  const float *_Nonnull splitReal;
  const float *_Nonnull splitImaginary;
} StretchTransform;

// All arrays are read and written in eights; `count` is a multiple of 64. A spectrum has `count`
// numbers, from 0 to below half the sample rate, and room for eight more.

/// Splits `2 * count` samples into even and odd ones, times a window in the same order.
/// [any thread]
KERNEL_REAL_TIME void kernel_stretch_window(float *_Nonnull even, float *_Nonnull odd,
                                            const float *_Nonnull samples,
                                            const float *_Nonnull window, long count);

/// One pass of the transform, of radix four, or of radix two for the rest. `size` is the length of
/// the remaining sub-transforms, `stride` their number in a lane. [any thread]
KERNEL_REAL_TIME void kernel_stretch_pass(float *_Nonnull real, float *_Nonnull imaginary,
                                          const float *_Nonnull fromReal,
                                          const float *_Nonnull fromImaginary,
                                          const float *_Nonnull factors, long size, long stride);

/// The last pass: joins the lanes. [any thread]
KERNEL_REAL_TIME void kernel_stretch_join(float *_Nonnull real, float *_Nonnull imaginary,
                                          const float *_Nonnull fromReal,
                                          const float *_Nonnull fromImaginary,
                                          const StretchTransform *_Nonnull transform);

/// Turns the transform of the even and odd samples into the spectrum of the real samples; it
/// overwrites the numbers after the input. [any thread]
KERNEL_REAL_TIME void kernel_stretch_split(float *_Nonnull real, float *_Nonnull imaginary,
                                           float *_Nonnull fromReal, float *_Nonnull fromImaginary,
                                           const StretchTransform *_Nonnull transform);

/// The reverse of `kernel_stretch_split`, for the inverse transform. The numbers after the input
/// are zero. [any thread]
KERNEL_REAL_TIME void kernel_stretch_merge(float *_Nonnull real, float *_Nonnull imaginary,
                                           const float *_Nonnull fromReal,
                                           const float *_Nonnull fromImaginary,
                                           const StretchTransform *_Nonnull transform);

/// Adds even and odd samples, times a window in the same order, to `2 * count` samples.
/// [any thread]
KERNEL_REAL_TIME void kernel_stretch_add(float *_Nonnull samples, const float *_Nonnull even,
                                         const float *_Nonnull odd, const float *_Nonnull window,
                                         long count);

/// Adds the terms of one channel: power of x, and y times the conjugate of b. [any thread]
KERNEL_REAL_TIME void kernel_stretch_products(
    float *_Nonnull power, float *_Nonnull real, float *_Nonnull imaginary,
    const float *_Nonnull xReal, const float *_Nonnull xImaginary, const float *_Nonnull yReal,
    const float *_Nonnull yImaginary, const float *_Nonnull bReal, const float *_Nonnull bImaginary,
    long count, long isFirst);

/// Finds the bins from `first`, at least 2, up to `end` that are stronger than two on each side;
/// returns their number. [any thread]
KERNEL_REAL_TIME long kernel_stretch_peaks(int32_t *_Nonnull peaks, const float *_Nonnull power,
                                           long first, long end);

/// Sets the phase rotation of each bin from `start` on to that of its peak, for the peaks from
/// `first` up to `end`; returns the end of the last region. [any thread]
///
/// A region ends at the weakest bin before the next peak. Its rotation is the sum of products over
/// the peak and its neighbours, normalized to length one.
KERNEL_REAL_TIME long kernel_stretch_regions(float *_Nonnull rotationReal,
                                             float *_Nonnull rotationImaginary,
                                             const float *_Nonnull power,
                                             const float *_Nonnull real,
                                             const float *_Nonnull imaginary,
                                             const int32_t *_Nonnull peaks, long peakCount,
                                             long first, long end, long start, long count);

/// Sets the phase rotation of each bin to that of its own product. [any thread]
KERNEL_REAL_TIME void kernel_stretch_rotations(float *_Nonnull rotationReal,
                                               float *_Nonnull rotationImaginary,
                                               const float *_Nonnull real,
                                               const float *_Nonnull imaginary, long count);

/// Rotates the phases of a spectrum. [any thread]
KERNEL_REAL_TIME void kernel_stretch_rotate(float *_Nonnull yReal, float *_Nonnull yImaginary,
                                            const float *_Nonnull real,
                                            const float *_Nonnull imaginary,
                                            const float *_Nonnull rotationReal,
                                            const float *_Nonnull rotationImaginary, long count);

/// Rotates the part of a spectrum before an onset, and the share `keep` of the rest. [any thread]
KERNEL_REAL_TIME void kernel_stretch_rotate_before(
    float *_Nonnull yReal, float *_Nonnull yImaginary, const float *_Nonnull real,
    const float *_Nonnull imaginary, const float *_Nonnull beforeReal,
    const float *_Nonnull beforeImaginary, const float *_Nonnull keep,
    const float *_Nonnull rotationReal, const float *_Nonnull rotationImaginary, long count);

/// The sums of products of `count` samples, a multiple of 8, with those at eight consecutive lags.
/// [any thread]
KERNEL_REAL_TIME void kernel_stretch_correlate(float *_Nonnull sums, const float *_Nonnull samples,
                                               const float *_Nonnull others, long count);

/// Adds sums of two samples each, times a gain: `count` of them, any number. [any thread]
KERNEL_REAL_TIME void kernel_stretch_halve(float *_Nonnull halves, const float *_Nonnull samples,
                                           float gain, long count, long isFirst);

/// Adds the energy of 64 samples, and of their differences to the previous sample, to two sums.
/// [any thread]
KERNEL_REAL_TIME void kernel_stretch_energies(float *_Nonnull energies,
                                              const float *_Nonnull samples);

#endif
