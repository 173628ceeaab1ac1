// SPDX-License-Identifier: Apache-2.0

#ifndef SINE_KERNEL_H
#define SINE_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"

/// Writes `count` samples of a sine with constant frequency and level. [any thread]
///
/// Phases and increments are cycles times 2^64. No sample exceeds `amplitude`.
KERNEL_REAL_TIME void kernel_sine(float *_Nonnull output, long count, uint64_t phase,
                                  uint64_t increment, float amplitude);

/// Writes `count` samples of a sine whose frequency and level change linearly. [any thread]
///
/// Sample i has the phase `phase + i * increment + i * (i - 1) / 2 * increment_step` and the level
/// `amplitude + i * amplitude_step`.
KERNEL_REAL_TIME void kernel_sine_ramp(float *_Nonnull output, long count, uint64_t phase,
                                       uint64_t increment, uint64_t increment_step,
                                       float amplitude, float amplitude_step);

#endif
