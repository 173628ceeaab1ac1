// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MACH_TYPES_H
#define MACH_MACH_TYPES_H

#include <stdint.h>

#include "kern_return.h"
#include "message.h"
#include "port.h"

typedef mach_port_t thread_t;
typedef mach_port_t thread_act_t;
typedef mach_port_t thread_port_t;
typedef mach_port_t task_t;
typedef mach_port_t host_t;
typedef mach_port_t clock_serv_t;
typedef int clock_id_t;
typedef uint32_t natural_t;
typedef int32_t integer_t;
typedef int boolean_t;

#endif
