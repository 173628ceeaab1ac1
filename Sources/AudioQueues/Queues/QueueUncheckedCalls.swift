// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import CRealTime

/// [render thread of a stream without a clock] Waits while `isBusy` returns true, at most two
/// seconds. No device waits for such a thread; without the pauses it would overtake the decoding
/// thread.
@_semantics("no_performance_analysis") @inline(never)
func waitWithoutClock(while isBusy: () -> Bool) {
  waitPolling(every: 100, until: rt_host_time() + 2_000_000_000, while: isBusy)
}
