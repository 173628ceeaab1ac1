// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MACH_TYPES_H
#define MACH_MACH_TYPES_H

#include <stdint.h>

#include "kern_return.h"

/// Names a thread, a task or a semaphore: a number of this process.
typedef uint32_t mach_port_t;
typedef mach_port_t thread_t;
typedef mach_port_t thread_act_t;
typedef mach_port_t thread_port_t;
typedef mach_port_t task_t;
typedef uint32_t mach_msg_type_number_t;
typedef uint32_t natural_t;
typedef int32_t integer_t;
typedef int boolean_t;

#define MACH_PORT_NULL ((mach_port_t)0)

#endif
