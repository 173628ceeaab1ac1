// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_THREAD_ACT_H
#define MACH_THREAD_ACT_H

#include "mach_types.h"
#include "thread_policy.h"

#endif
