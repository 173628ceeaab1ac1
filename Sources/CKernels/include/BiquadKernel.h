// SPDX-License-Identifier: Apache-2.0

#ifndef BIQUAD_KERNEL_H
#define BIQUAD_KERNEL_H

#include "KernelAttributes.h"

/// The most sections of one call.
enum { BIQUAD_LANES = 16 };

/// Sections one after another, each in a lane, in the transposed direct form II.
typedef struct BiquadLanes {
  /// Coefficients, a0 being 1, with c1 = b1 - a1 b0 and c2 = b2 - a2 b0; a lane without a section has
  /// b0 = 1 and else 0.
  double b0[BIQUAD_LANES], c1[BIQUAD_LANES], c2[BIQUAD_LANES], a1[BIQUAD_LANES], a2[BIQUAD_LANES];
  /// Both states of each section, for one channel or two.
  double s1[2][BIQUAD_LANES], s2[2][BIQUAD_LANES];
} BiquadLanes;

/// The generation of x86-64 that this processor is of, as far as it matters here: 1, 3 or 4. [any thread]
KERNEL_REAL_TIME long kernel_biquad_generation(void);

/// Runs `count` samples through `sections` sections, in place, on both channels. [any thread]
///
/// `left` and `right` may be the same: then it is one channel. `generation` is at most what
/// `kernel_biquad_generation` says; all of them give the same bits. The first takes at most 10
/// sections, for more of which it has no registers.
KERNEL_REAL_TIME void kernel_biquads(double *_Nonnull left, double *_Nonnull right, long count,
                                     BiquadLanes *_Nonnull lanes, long sections,
                                     long generation);

#endif
