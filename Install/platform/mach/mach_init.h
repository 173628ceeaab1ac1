// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MACH_INIT_H
#define MACH_MACH_INIT_H

#include <CoreFoundation/CFSystemNames.h>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mach_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// This process.
static __inline__ mach_port_t mach_task_self(void) { return (mach_port_t)getpid(); }

/// The calling thread. [any thread]
static __inline__ mach_port_t mach_thread_self(void) { return (mach_port_t)syscall(SYS_gettid); }

/// Releases a port; does nothing, because ports are not counted here.
static __inline__ kern_return_t mach_port_deallocate(task_t task, mach_port_t name) {
  (void)task;
  (void)name;
  return KERN_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
