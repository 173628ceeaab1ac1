// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// A thread that checks something at intervals, and at once when woken; it ends when there is
/// nothing to check, and starts again when needed.
public final class PeriodicCheck: Sendable {
  private let name: String
  private let check: @Sendable () -> Double?
  private let wakeUp = WakeUp()
  private let thread = Guarded<DeviceThread?>(nil)

  /// A caretaker that is idle. `check` returns the seconds until its next call; nil when there is
  /// nothing more to check.
  public init(name: String, check: @escaping @Sendable () -> Double?) {
    self.name = name
    self.check = check
  }

  /// [any thread but a render thread] Has it check now and from then on.
  public func wake() {
    thread.withLock { thread in
      if thread == nil {
        let new = DeviceThread(name: name, requestsRealTime: false) { [self] _ in run() }
        thread = new
        // Without a thread there is nobody to notify; the next wake tries again.
        if (try? new.start()) == nil { thread = nil }
      }
    }
    wakeUp.raise()
  }

  private func run() {
    while true {
      while let seconds = check() {
        wakeUp.wait(until: rt_host_time() + UInt64(seconds * 1_000_000_000))
      }
      let isOver = thread.withLock { thread in
        // Woken since: there may be something to check again.
        guard !wakeUp.lower() else { return false }
        thread = nil
        return true
      }
      if isOver { return }
    }
  }
}
