// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Puts this probe before the functions of the C library that a render thread must not call: those of
/// the heap, of locks, of waiting and of files. It rewrites the tables by which all loaded libraries
/// call them. Called again, it includes libraries that were loaded since.
///
/// Only from one thread at a time. Calls inside one library that the compiler has bound, and system
/// calls without a function, are not seen.
/// - Returns: How many entries were rewritten; 0 where the processor is not known.
int real_time_probe_install(void);

/// Begins to count the calls of this thread.
void real_time_probe_begin(void);

/// Ends it.
/// - Returns: How many forbidden calls this thread made since it began.
int64_t real_time_probe_end(void);

/// The name of the first of them; NULL when there was none.
const char *real_time_probe_first(void);
