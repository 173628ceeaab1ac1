// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// Calls a check at intervals on its own thread, and immediately when woken. The thread ends when
/// there is nothing to check, and starts again when needed.
public final class PeriodicCheck: Sendable {
  private let name: String
  private let check: @Sendable () -> Double?
  private let wakeUp = WakeUp()
  private let thread = Guarded<WorkerThread?>(nil)

  /// An idle check. `check` returns the seconds until its next call, nil if there is nothing more
  /// to check.
  public init(name: String, check: @escaping @Sendable () -> Double?) {
    self.name = name
    self.check = check
  }

  /// [any thread but a render thread] Starts checking, beginning now.
  public func wake() {
    wakeUp.raise()
    thread.withLock { thread in
      if thread?.isLost ?? true {
        let new = WorkerThread(name: name) { [self] _ in run() }
        thread = new
        // If the thread cannot start, the next wake tries again.
        if (try? new.start()) == nil { thread = nil }
      }
    }
  }

  private func run() {
    while true {
      // What has woken it until now is covered by the next check.
      _ = wakeUp.lower()
      while let seconds = check() {
        wakeUp.wait(until: rt_host_time() + UInt64(seconds * 1_000_000_000))
      }
      let isOver = thread.withLock { thread in
        // It was woken meanwhile, so there may be something to check.
        guard !wakeUp.lower() else { return false }
        thread = nil
        return true
      }
      if isOver { return }
    }
  }
}
