// SPDX-License-Identifier: Apache-2.0

#ifndef MIX_KERNEL_H
#define MIX_KERNEL_H

#include "KernelAttributes.h"

/// Writes the weighted sum of `source_count` sources, one or more, to `output`. [any thread]
///
/// Sources are added four at a time, as (a + b) + (c + d), then the rest one by one. The output
/// does not overlap the sources.
KERNEL_REAL_TIME void kernel_mix(float *_Nonnull output, long count,
                                 const float *_Nonnull const *_Nonnull sources,
                                 const float *_Nonnull gains, long source_count);

#endif
