// SPDX-License-Identifier: Apache-2.0
import Glibc

/// [render thread of a stream without a clock] Sleeps for a tenth of a millisecond. Nothing waits for
/// such a thread, and without the pause it would outrun the one that decodes.
@_semantics("no_performance_analysis") @inline(never)
func restBriefly() { usleep(100) }
