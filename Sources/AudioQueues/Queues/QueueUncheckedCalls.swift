// SPDX-License-Identifier: Apache-2.0
import Glibc

/// [render thread of a stream without a clock] Sleeps for a tenth of a millisecond. No device waits
/// for such a thread; without the pause it would overtake the decoding thread.
@_semantics("no_performance_analysis") @inline(never)
func sleepBriefly() { usleep(100) }
