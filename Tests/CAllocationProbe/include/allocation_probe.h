// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

/// How many times the calling thread has allocated or freed heap memory.
int64_t heap_operations(void);

/// Those of them that the program or Swift's own libraries asked for: not those of a sound server's
/// library that runs on the same thread.
int64_t heap_operations_of_program(void);
