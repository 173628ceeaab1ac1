// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// The current host time, in nanoseconds.
func hostTime() -> UInt64 { rt_host_time() }
