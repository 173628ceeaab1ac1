// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

/// How many times the calling thread has allocated or freed heap memory.
int64_t heap_operations(void);
