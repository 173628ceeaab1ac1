// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MACH_H
#define MACH_MACH_H

// What audio programs use of the kernel's interface: threads, semaphores, results.

#include "kern_return.h"
#include "mach_error.h"
#include "mach_init.h"
#include "mach_types.h"
#include "semaphore.h"
#include "thread_act.h"
#include "thread_policy.h"

#endif
