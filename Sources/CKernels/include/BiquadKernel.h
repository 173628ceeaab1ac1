// SPDX-License-Identifier: Apache-2.0

#ifndef BIQUAD_KERNEL_H
#define BIQUAD_KERNEL_H

#include "KernelAttributes.h"

/// Maximum number of sections per call.
enum { BIQUAD_LANES = 16 };

/// A cascade of sections, one per lane, in the transposed direct form II.
typedef struct BiquadLanes {
  /// Coefficients with a0 = 1, c1 = b1 - a1 b0 and c2 = b2 - a2 b0. A lane without a section has b0
  /// = 1 and zeros otherwise.
  double b0[BIQUAD_LANES], c1[BIQUAD_LANES], c2[BIQUAD_LANES], a1[BIQUAD_LANES], a2[BIQUAD_LANES];
  /// Both states of each section, for one channel or two.
  double s1[2][BIQUAD_LANES], s2[2][BIQUAD_LANES];
} BiquadLanes;

/// The x86-64 generation of this processor, as far as it matters here: 1, 3 or 4. [any thread]
KERNEL_REAL_TIME long kernel_biquad_generation(void);

/// Runs `count` samples through `sections` sections, in place, on both channels. [any thread]
///
/// For one channel, `left` equals `right`. `generation` is at most the result of
/// `kernel_biquad_generation`; all generations give the same bits. The first one has registers for
/// at most 10 sections.
KERNEL_REAL_TIME void kernel_biquads(double *_Nonnull left, double *_Nonnull right, long count,
                                     BiquadLanes *_Nonnull lanes, long sections,
                                     long generation);

#endif
