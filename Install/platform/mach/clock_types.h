// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_CLOCK_TYPES_H
#define MACH_CLOCK_TYPES_H

/// A duration, for example for semaphore_timedwait.
typedef struct mach_timespec {
  /// Whole seconds.
  unsigned int tv_sec;
  /// Nanoseconds beyond them, 0 to 999,999,999.
  int tv_nsec;
} mach_timespec_t;

/// The clock of host time, and the time of day.
#define SYSTEM_CLOCK 0
/// The clock with the time of day, in seconds since 1970.
#define CALENDAR_CLOCK 1
/// The clock of host time by its older name.
#define REALTIME_CLOCK 0

#ifndef NSEC_PER_SEC
/// Nanoseconds in a second.
#define NSEC_PER_SEC 1000000000ull
/// Nanoseconds in a millisecond.
#define NSEC_PER_MSEC 1000000ull
/// Nanoseconds in a microsecond.
#define NSEC_PER_USEC 1000ull
/// Microseconds in a second.
#define USEC_PER_SEC 1000000ull
#endif

#endif
