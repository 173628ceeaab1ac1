// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A lock whose holder can wait for changes by other threads: a mutex with a condition variable.
/// Every wait of the library for another thread uses it, except for render threads: these wake
/// nobody, so their changes are polled (`waitPolling`).
///
/// Its holder calls no function that may lock another lock, and none of the program's.
package final class ConditionLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    // A waiting thread with real-time priority lends its priority to the holder.
    var mutexKind = pthread_mutexattr_t()
    pthread_mutexattr_init(&mutexKind)
    pthread_mutexattr_setprotocol(&mutexKind, CInt(clamping: PTHREAD_PRIO_INHERIT))
    pthread_mutex_init(mutex, &mutexKind)
    pthread_mutexattr_destroy(&mutexKind)

    var conditionKind = pthread_condattr_t()
    pthread_condattr_init(&conditionKind)
    pthread_condattr_setclock(&conditionKind, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &conditionKind)
    pthread_condattr_destroy(&conditionKind)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// [any thread but a render thread] Runs `body` while no other thread holds the lock.
  package func withLock<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// [holding the lock] Runs `body` without the lock.
  package func withoutLock<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_unlock(mutex)
    defer { pthread_mutex_lock(mutex) }
    return try body()
  }

  /// [holding the lock] Releases the lock until another thread signals, or until `hostTime`. May
  /// also return for no reason. False if the time is over.
  @discardableResult
  package func wait(until hostTime: UInt64? = nil) -> Bool {
    guard let hostTime else { return pthread_cond_wait(condition, mutex) == 0 }
    var deadline = timespec(
      tv_sec: Int(clamping: hostTime / 1_000_000_000),
      tv_nsec: Int(clamping: hostTime % 1_000_000_000))
    return pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
  }

  /// [holding the lock] Wakes all waiting threads.
  package func signal() { pthread_cond_broadcast(condition) }
}
