// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_CLOCK_H
#define MACH_CLOCK_H

// The time of a clock in seconds and nanoseconds.

#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock_types.h"
#include "mach_types.h"

#ifdef __cplusplus
extern "C" {
#else
// In strict C <unistd.h> hides it.
/// Makes a system call, as <unistd.h> declares it; -1 and errno for an error. [any thread]
extern long syscall(long number, ...);
#endif

/// The time of a clock service. [any thread]
///
/// Returns KERN_INVALID_ARGUMENT for what host_get_clock_service has not returned.
static __inline__ kern_return_t clock_get_time(clock_serv_t clock_serv, mach_timespec_t *cur_time) {
  // The system call itself, for programs in which <time.h> hides the function.
  const long realtime = 0, monotonic = 1;
  long now[2];
  if (!cur_time || (clock_serv != 1 + SYSTEM_CLOCK && clock_serv != 1 + CALENDAR_CLOCK)) {
    return KERN_INVALID_ARGUMENT;
  }
  if (syscall(SYS_clock_gettime, clock_serv == 1 + CALENDAR_CLOCK ? realtime : monotonic, now)) {
    return KERN_FAILURE;
  }
  cur_time->tv_sec = (unsigned)now[0];
  cur_time->tv_nsec = (int)now[1];
  return KERN_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
