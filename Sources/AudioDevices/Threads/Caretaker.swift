// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// A thread that looks after something every so often, and at once when it is woken; it ends when
/// there is nothing to look after, and begins anew.
public final class Caretaker: Sendable {
  private let name: String
  private let interval: UInt64
  private let look: @Sendable () -> Bool
  private let bell = WakeUp()
  private let thread = Guarded<DeviceThread?>(nil)

  /// A caretaker that does nothing yet. `look` answers whether there is more to look after; between
  /// two looks are `interval` seconds.
  public init(name: String, interval: Double, look: @escaping @Sendable () -> Bool) {
    self.name = name
    self.interval = UInt64(interval * 1_000_000_000)
    self.look = look
  }

  /// [any thread but a render thread] Has it look now, and from now on.
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
      while look() { bell.wait(until: rt_host_time() + interval) }
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
