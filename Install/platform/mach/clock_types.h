// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_CLOCK_TYPES_H
#define MACH_CLOCK_TYPES_H

/// A duration, for example for semaphore_timedwait.
typedef struct mach_timespec {
  unsigned int tv_sec;
  int tv_nsec;
} mach_timespec_t;

/// The clock of host time, and the time of day.
#define SYSTEM_CLOCK 0
#define CALENDAR_CLOCK 1
#define REALTIME_CLOCK 0

#ifndef NSEC_PER_SEC
#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_USEC 1000ull
#define USEC_PER_SEC 1000000ull
#endif

#endif
