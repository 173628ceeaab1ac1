// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc

/// [control thread] Waits while `isBusy` returns true, at most until a time on the host clock, and
/// checks again after each pause. This is for changes by render threads, servers and processes,
/// which wake nobody. False if the time is over.
///
/// `release` runs a pause without the locks that the caller holds while it checks.
@discardableResult
package func waitPolling(
  every microseconds: UInt32, until hostTime: UInt64 = .max,
  releasing release: (_ pause: () -> Void) -> Void = { $0() }, while isBusy: () -> Bool
) -> Bool {
  while isBusy() {
    guard rt_host_time() < hostTime else { return false }
    release { _ = whileForksMayCome { usleep(microseconds) } }
  }
  return true
}
