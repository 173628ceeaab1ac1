// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// Calls that may wait for a server, which may never answer.
enum Patience {
  /// [control thread] Runs `work` on a thread of its own and waits for it, `seconds` at most.
  ///
  /// What the work keeps alive stays alive until it is done, also when nobody waits any more: then
  /// `isWanted`, which it is given, says false, and it has to clean up after itself. The thread is
  /// called `name`, and so are those that a library starts on it, which inherit the name.
  ///
  /// - Returns: Nil when it took too long.
  static func wait<Result: Sendable>(
    seconds: Double, as name: String,
    for work: @escaping @Sendable (_ isWanted: @Sendable () -> Bool) -> Result
  ) -> Result? {
    let state = Guarded<(result: Result?, isWanted: Bool)>((nil, true))
    let done = WakeUp()
    let thread = DeviceThread(name: name, asksForRealTime: false) { _ in
      let result = work { state.withLock { $0.isWanted } }
      state.withLock { $0.result = result }
      done.raise()
    }
    guard (try? thread.start()) != nil else { return nil }
    done.wait(until: rt_host_time() + UInt64(seconds * 1_000_000_000))
    let result = state.withLock { state in
      if state.result == nil { state.isWanted = false }
      return state.result
    }
    if result != nil { thread.stop() }
    return result
  }
}
