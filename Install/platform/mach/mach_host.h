// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MACH_HOST_H
#define MACH_MACH_HOST_H

#include <stddef.h>

#include "clock_types.h"
#include "mach_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// This computer.
static __inline__ host_t mach_host_self(void) { return 1; }

/// The service of a clock, for clock_get_time: SYSTEM_CLOCK is the clock of host time,
/// CALENDAR_CLOCK the time of day. [any thread]
static __inline__ kern_return_t host_get_clock_service(host_t host, clock_id_t clock_id,
                                                       clock_serv_t *clock_serv) {
  (void)host;
  if (!clock_serv || (clock_id != SYSTEM_CLOCK && clock_id != CALENDAR_CLOCK)) {
    return KERN_INVALID_ARGUMENT;
  }
  *clock_serv = (clock_serv_t)clock_id + 1;
  return KERN_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
