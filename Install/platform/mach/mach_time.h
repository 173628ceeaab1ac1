// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_MACH_TIME_H
#define MACH_MACH_TIME_H

// Host time: the clock of AudioTimeStamp.mHostTime, in nanoseconds.

#include <MacTypes.h>

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kern_return.h"

#ifdef __cplusplus
extern "C" {
#endif

// Declared in CoreAudio/HostTime.h.
/// The current host time in ticks, as CoreAudio/HostTime.h declares it. [any thread]
UInt64 AudioGetCurrentHostTime(void);

/// Nanoseconds are ticks * numer / denom.
struct mach_timebase_info {
  /// The factor; 1 here.
  uint32_t numer;
  /// The divisor; 1 here.
  uint32_t denom;
};
typedef struct mach_timebase_info *mach_timebase_info_t;
typedef struct mach_timebase_info mach_timebase_info_data_t;

/// The length of a tick. [any thread]
static __inline__ kern_return_t mach_timebase_info(mach_timebase_info_t info) {
  info->numer = 1;
  info->denom = 1;
  return KERN_SUCCESS;
}

/// The current host time. [any thread]
static __inline__ UInt64 mach_absolute_time(void) { return AudioGetCurrentHostTime(); }

/// The current host time, from the same clock. [any thread]
static __inline__ UInt64 mach_approximate_time(void) { return AudioGetCurrentHostTime(); }

/// Waits until a host time. [any thread that may wait]
static __inline__ kern_return_t mach_wait_until(UInt64 deadline) {
  // The system call itself, for programs in which <time.h> hides the function.
  const long monotonic = 1, absolute = 1;
  const long until[2] = {(long)(deadline / 1000000000u), (long)(deadline % 1000000000u)};
  while (syscall(SYS_clock_nanosleep, monotonic, absolute, until, NULL) != 0 && errno == EINTR) {
  }
  return KERN_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
