// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_HOST_TIME_H
#define CAUDIOTOOLBOX_HOST_TIME_H

#include <CoreFoundation/CoreFoundation.h>

// The clock of the machine, to which all time stamps refer.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// The current host time in ticks: the clock of `AudioTimeStamp.mHostTime`. [any thread]
///
/// It never decreases, and is independent of the time of day.
UInt64 AudioGetCurrentHostTime(void);

/// The ticks of host time in one second. [any thread]
Float64 AudioGetHostClockFrequency(void);

/// The smallest number of ticks by which two host times differ. [any thread]
UInt32 AudioGetHostClockMinimumTimeDelta(void);

/// Converts ticks of host time to nanoseconds. [any thread]
///
/// - Parameter inHostTime: ticks.
/// - Returns: nanoseconds.
UInt64 AudioConvertHostTimeToNanos(UInt64 inHostTime);

/// Converts nanoseconds to ticks of host time. [any thread]
///
/// - Parameter inNanos: nanoseconds.
/// - Returns: ticks.
UInt64 AudioConvertNanosToHostTime(UInt64 inNanos);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
