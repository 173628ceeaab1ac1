// SPDX-License-Identifier: Apache-2.0

#ifndef SHAPING_KERNEL_H
#define SHAPING_KERNEL_H

#include "KernelAttributes.h"

/// A value at the first sample, and its change per sample.
typedef struct {
  float start, step;
} ShapingLine;

/// The factors of a polynomial, its share of the result, and the gain before the soft clip.
typedef struct {
  ShapingLine linear, squared, cubed, mix, gain;
} ShapingLines;

/// Distorts samples in place: a x + b x^2 + c x^3, mixed with x, amplified and softly clipped by
/// x (27 + x^2) / (27 + 9 x^2), where x is limited to -3...3. [any thread]
KERNEL_REAL_TIME void kernel_shape(float *_Nonnull samples, long count,
                                   const ShapingLines *_Nonnull lines);

#endif
