// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Whether this build counts: not under sanitizers, and not without optimisation.
bool heap_is_counted(void);

/// How many times the calling thread has allocated or freed heap memory.
int64_t heap_operations(void);

/// Those of them that the program or Swift's own libraries asked for: not those of a sound server's
/// library that runs on the same thread.
int64_t heap_operations_of_program(void);

/// The bytes of the heap that all threads have allocated and not freed. Exact, other than the numbers of
/// the C library, which count what it keeps for later.
int64_t heap_live_bytes(void);
