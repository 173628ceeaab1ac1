// SPDX-License-Identifier: Apache-2.0
//
// Memory for the past of a signal: zeros, most of which a short sound never reads.

#ifndef HISTORY_MEMORY_H
#define HISTORY_MEMORY_H

#include <stdbool.h>

/// Allocates zeros. For a device (`is_offline` false) all pages are there when it returns, so that no render causes a
/// page fault. Offline, a large block costs nothing until it is used: a page comes with its first sample. Ends the
/// program if there is no memory. [control thread]
float *history_memory(long count, bool is_offline);

/// Frees the zeros of as many samples. [control thread]
void history_memory_free(float *samples, long count);

#endif
