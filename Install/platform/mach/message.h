// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MESSAGE_H
#define MACH_MESSAGE_H

// Only types: there are no messages between ports here.

#include "kern_return.h"
#include "port.h"

/// The status code of a message.
typedef kern_return_t mach_msg_return_t;
/// The size of a structure, in numbers of 32 bits.
typedef uint32_t mach_msg_type_number_t;

#endif
