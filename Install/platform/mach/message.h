// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MESSAGE_H
#define MACH_MESSAGE_H

// Only types: there are no messages between ports here.

#include "kern_return.h"
#include "port.h"

typedef kern_return_t mach_msg_return_t;
typedef uint32_t mach_msg_type_number_t;

#endif
