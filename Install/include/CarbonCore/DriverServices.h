// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_CORE_DRIVER_SERVICES_H
#define CARBON_CORE_DRIVER_SERVICES_H

// Host time under its deprecated names, in two halves of 32 bits.

#include "../MacTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Declared in CoreAudio/HostTime.h.
/// The current host time in ticks, as CoreAudio/HostTime.h declares it. [any thread]
UInt64 AudioGetCurrentHostTime(void);
/// Ticks of host time in nanoseconds, as CoreAudio/HostTime.h declares it. [any thread]
UInt64 AudioConvertHostTimeToNanos(UInt64 inHostTime);
/// Nanoseconds in ticks of host time, as CoreAudio/HostTime.h declares it. [any thread]
UInt64 AudioConvertNanosToHostTime(UInt64 inNanos);

/// The number that two halves make. [any thread]
static __inline__ UInt64 UnsignedWideToUInt64(UnsignedWide value) {
  return ((UInt64)value.hi << 32) | value.lo;
}

/// The two halves of a number. [any thread]
static __inline__ UnsignedWide UInt64ToUnsignedWide(UInt64 value) {
  UnsignedWide halves;
  halves.hi = (UInt32)(value >> 32);
  halves.lo = (UInt32)value;
  return halves;
}

/// The current host time. [any thread]
static __inline__ AbsoluteTime UpTime(void) {
  return UInt64ToUnsignedWide(AudioGetCurrentHostTime());
}

/// Ticks of host time in nanoseconds. [any thread]
static __inline__ UnsignedWide AbsoluteToNanoseconds(AbsoluteTime time) {
  return UInt64ToUnsignedWide(AudioConvertHostTimeToNanos(UnsignedWideToUInt64(time)));
}

/// Nanoseconds in ticks of host time. [any thread]
static __inline__ AbsoluteTime NanosecondsToAbsolute(UnsignedWide nanoseconds) {
  return UInt64ToUnsignedWide(AudioConvertNanosToHostTime(UnsignedWideToUInt64(nanoseconds)));
}

/// Microseconds of host time. [any thread]
static __inline__ void Microseconds(UnsignedWide *microseconds) {
  *microseconds =
      UInt64ToUnsignedWide(AudioConvertHostTimeToNanos(AudioGetCurrentHostTime()) / 1000);
}

/// Sixtieths of a second of host time. [any thread]
static __inline__ UInt32 TickCount(void) {
  return (UInt32)(AudioConvertHostTimeToNanos(AudioGetCurrentHostTime()) / 16666667);
}

#ifdef __cplusplus
}
#endif

#endif
