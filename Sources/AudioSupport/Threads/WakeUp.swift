// SPDX-License-Identifier: Apache-2.0

/// A flag that one thread waits for and others raise. A wait can also end at a time on the host
/// clock. Waking lowers the flag.
package final class WakeUp: @unchecked Sendable {  // `isRaised` is guarded by `lock`
  private let lock = ConditionLock()
  private var isRaised = false

  package init() {}

  /// [any thread but a render thread] Wakes the waiting thread, now or as soon as it waits.
  package func raise() {
    lock.withLock {
      isRaised = true
      lock.signal()
    }
  }

  /// Lowers the flag; returns whether it was raised.
  package func lower() -> Bool {
    lock.withLock {
      defer { isRaised = false }
      return isRaised
    }
  }

  /// Waits until the flag is raised or the host clock reaches `hostTime`, in nanoseconds.
  package func wait(until hostTime: UInt64? = nil) {
    lock.withLock {
      while !isRaised, lock.wait(until: hostTime) {}
      isRaised = false
    }
  }
}
