// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MACH_TYPES_H
#define MACH_MACH_TYPES_H

#include <stdint.h>

#include "kern_return.h"
#include "message.h"
#include "port.h"

/// A thread: its number in Linux.
typedef mach_port_t thread_t;
/// A thread whose scheduling is set.
typedef mach_port_t thread_act_t;
/// A thread by an older name.
typedef mach_port_t thread_port_t;
/// A process: its number in Linux.
typedef mach_port_t task_t;
/// This machine.
typedef mach_port_t host_t;
/// A clock, as host_get_clock_service returns it.
typedef mach_port_t clock_serv_t;
/// Which clock: SYSTEM_CLOCK or CALENDAR_CLOCK.
typedef int clock_id_t;
/// A number of 32 bits without a sign.
typedef uint32_t natural_t;
/// A number of 32 bits with a sign.
typedef int32_t integer_t;
/// 0 is false, any other number is true.
typedef int boolean_t;

#endif
