// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc

/// The running calls to the program's listeners: removing a listener waits here until it is not
/// being called any more.
package final class ProgramCalls: @unchecked Sendable {
  package static let shared = ProgramCalls()

  /// One listener as it was added. What changes is guarded by `ProgramCalls`.
  package final class Entry: @unchecked Sendable {
    fileprivate var isRemoved = false
    /// The threads that are inside.
    fileprivate var callers: [UInt64] = []

    package init() {}
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  /// The entry that each waiting thread waits for.
  private var waiting: [UInt64: [Entry]] = [:]

  private init() {
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  /// [any thread but the render thread] Runs `call`, which calls the listener, unless it has been
  /// removed.
  package func run(_ entry: Entry, _ call: () -> Void) {
    let thread = rt_thread_id()
    let isWanted = withMutex {
      guard !entry.isRemoved else { return false }
      entry.callers.append(thread)
      return true
    }
    guard isWanted else { return }
    // Disposing of a unit inside the call must not wait for others that may wait for this call.
    rt_current().pointee.uses += 1
    call()
    rt_current().pointee.uses -= 1
    withMutex {
      if let index = entry.callers.lastIndex(of: thread) { entry.callers.remove(at: index) }
      if entry.isRemoved { pthread_cond_broadcast(changed) }
    }
  }

  /// [any thread] From now on none of `entries` is called. Returns when no other thread is inside one of
  /// them; at once from inside a render, which cannot wait, and where the other thread waits for this one.
  package func remove(_ entries: [Entry], waits: Bool = true) {
    guard !entries.isEmpty else { return }
    let thread = rt_thread_id()
    withMutex {
      for entry in entries { entry.isRemoved = true }
      guard waits, rt_current().pointee.depth == 0 else { return }
      waiting[thread, default: []] += entries
      // Others may wait for a thread that waits for this one: the list shows them that.
      pthread_cond_broadcast(changed)
      while entries.contains(where: { isBusy($0, for: thread) }) {
        pthread_cond_wait(changed, mutex)
      }
      waiting[thread]?.removeLast(entries.count)
      if waiting[thread]?.isEmpty == true { waiting[thread] = nil }
    }
  }

  /// Whether a thread is inside that does not itself wait for `thread`.
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

  private func withMutex<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
