// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// The running calls to the program's listeners. Removing a listener waits until it is not being
/// called any more.
package final class ProgramCalls: @unchecked Sendable {
  package static let shared = ProgramCalls()

  /// One listener as it was added. `ProgramCalls` guards its variables.
  package final class Entry: @unchecked Sendable {
    fileprivate var isRemoved = false
    /// The threads that are inside the listener.
    fileprivate var callers: [UInt64] = []

    package init() {}
  }

  private let lock = ConditionLock()
  /// The entries that each waiting thread waits for.
  private var waiting: [UInt64: [Entry]] = [:]

  private init() {}

  /// [any thread but a render thread] Runs `call`, which calls the listener, unless the listener
  /// has been removed.
  package func run(_ entry: Entry, _ call: @escaping () -> Void) {
    let thread = rt_thread_id()
    let mayCall = lock.withLock {
      guard !entry.isRemoved else { return false }
      entry.callers.append(thread)
      return true
    }
    guard mayCall else { return }
    // Disposing of a unit inside the call must not wait for others that may wait for this call.
    rt_current().pointee.uses += 1
    callProgram(call)
    rt_current().pointee.uses -= 1
    lock.withLock {
      if let index = entry.callers.lastIndex(of: thread) { entry.callers.remove(at: index) }
      if entry.isRemoved { lock.signal() }
    }
  }

  /// [any thread] From now on none of `entries` is called. Returns when no other thread is inside
  /// one of them. Does not wait inside a render, nor for a thread that itself waits for this one.
  package func remove(_ entries: [Entry], waits: Bool = true) {
    guard !entries.isEmpty else { return }
    let thread = rt_thread_id()
    lock.withLock {
      for entry in entries { entry.isRemoved = true }
      guard waits, rt_current().pointee.depth == 0 else { return }
      waiting[thread, default: []] += entries
      // Other threads check again: they may wait for this one, which now waits too.
      lock.signal()
      while entries.contains(where: { isBusy($0, for: thread) }) { lock.wait() }
      waiting[thread]?.removeLast(entries.count)
      if waiting[thread]?.isEmpty == true { waiting[thread] = nil }
    }
  }

  /// Whether another thread is inside the listener and does not itself wait for `thread`.
  private func isBusy(_ entry: Entry, for thread: UInt64) -> Bool {
    var seen: Set<UInt64> = []
    return entry.callers.contains { $0 != thread && !waits($0, for: thread, &seen) }
  }

  private func waits(_ other: UInt64, for thread: UInt64, _ seen: inout Set<UInt64>) -> Bool {
    guard seen.insert(other).inserted else { return false }
    for entry in waiting[other] ?? [] {
      for caller in entry.callers where caller != other {
        if caller == thread || waits(caller, for: thread, &seen) { return true }
      }
    }
    return false
  }
}
