// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// A thread that looks after something every so often, and at once when it is woken; it ends when
/// there is nothing to look after, and begins anew.
public final class Caretaker: Sendable {
  private let name: String
  private let check: @Sendable () -> Double?
  private let bell = WakeUp()
  private let thread = Guarded<DeviceThread?>(nil)

  /// A caretaker that does nothing yet. `check` answers in how many seconds it is to be called again; nil
  /// when there is nothing more to look after.
  public init(name: String, check: @escaping @Sendable () -> Double?) {
    self.name = name
    self.check = check
  }

  /// [any thread but a render thread] Has it check now, and from now on.
  public func wake() {
    thread.withLock { thread in
      if thread == nil {
        let new = DeviceThread(name: name, asksForRealTime: false) { [self] _ in run() }
        thread = new
        // Without a thread there is nobody to tell; the next wake tries again.
        if (try? new.start()) == nil { thread = nil }
      }
    }
    bell.raise()
  }

  private func run() {
    while true {
      while let seconds = check() {
        bell.wait(until: rt_host_time() + UInt64(seconds * 1_000_000_000))
      }
      let isOver = thread.withLock { thread in
        // Woken since: there may be something again.
        guard !bell.takeDown() else { return false }
        thread = nil
        return true
      }
      if isOver { return }
    }
  }
}
