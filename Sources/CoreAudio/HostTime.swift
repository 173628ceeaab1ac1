// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// The functions of HostTime.h: host time is the monotonic clock in nanoseconds.

@c @implementation
public func AudioGetCurrentHostTime() -> UInt64 { rt_host_time() }

@c @implementation
public func AudioGetHostClockFrequency() -> Float64 { 1_000_000_000 }

@c @implementation
public func AudioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

@c @implementation
public func AudioConvertHostTimeToNanos(_ inHostTime: UInt64) -> UInt64 { inHostTime }

@c @implementation
public func AudioConvertNanosToHostTime(_ inNanos: UInt64) -> UInt64 { inNanos }
