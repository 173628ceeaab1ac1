// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>

/// Limits the process that opens foreign plug-ins: it ends with the process that started it, leaves no
/// file after a crash, and gets at most so many bytes of memory. [main thread]
void plug_in_limit_process(size_t bytes);
