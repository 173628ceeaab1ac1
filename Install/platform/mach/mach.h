// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MACH_H
#define MACH_MACH_H

// The part of the kernel's interface that audio programs use: threads, semaphores, status codes.

#include "kern_return.h"
#include "mach_error.h"
#include "mach_host.h"
#include "mach_init.h"
#include "mach_types.h"
#include "semaphore.h"
#include "thread_act.h"
#include "thread_policy.h"

#endif
