// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Installs the probe: replaces the C library's functions that a render thread must not call, which are
/// those for the heap, locks, waiting and files. It rewrites the tables through which all loaded libraries
/// call them. A repeated call includes libraries that were loaded since.
///
/// Call it from one thread at a time. It does not see calls that the compiler has bound inside a library,
/// nor system calls that bypass these functions.
/// - Returns: How many entries were rewritten; 0 on an unsupported processor.
int real_time_probe_install(void);

/// Starts counting the forbidden calls of this thread.
void real_time_probe_begin(void);

/// Stops counting.
/// - Returns: How many forbidden calls this thread made since the start.
int64_t real_time_probe_end(void);

/// The name of the first of them; NULL when there was none.
const char *real_time_probe_first(void);
