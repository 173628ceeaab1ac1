// SPDX-License-Identifier: Apache-2.0

#ifndef DYNAMICS_KERNEL_H
#define DYNAMICS_KERNEL_H

#include <stdint.h>

#include "KernelAttributes.h"

/// Replaces linear levels by the gain reduction of the compression in decibels. [any thread]
///
/// Threshold and head room are in decibels at the first frame, with their change per frame.
KERNEL_REAL_TIME void kernel_compression(float *_Nonnull levels, long count, float threshold,
                                         float threshold_step, float head_room,
                                         float head_room_step);

/// Replaces gain reductions in decibels by linear gains: `gain`, in decibels at the first frame
/// with its change per frame, minus the reduction. [any thread]
KERNEL_REAL_TIME void kernel_gains(float *_Nonnull decibels, long count, float gain,
                                   float gain_step);

#endif
