// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_PORT_H
#define MACH_PORT_H

#include <stdint.h>

/// The number of a thread, a task or a semaphore of this process.
typedef uint32_t mach_port_t;

/// The number of nothing.
#define MACH_PORT_NULL ((mach_port_t)0)

#endif
