// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc

/// A lock whose holder can wait for changes by other threads: a mutex with a condition variable.
/// Every wait of the library for another thread uses it, except for render threads: these wake
/// nobody, so their changes are polled (`waitPolling`).
///
/// Its holder calls no function that may lock another lock, and none of the program's.
package final class ConditionLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// The number of forks before both were made.
  private let forks = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

  package init() {
    forks.initialize(to: rt_fork_count())
    make()
  }

  private func make() {
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
    // After a fork, the end of a condition would wait for threads that do not exist.
    if forks.pointee == rt_fork_count() {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
    }
    condition.deallocate()
    mutex.deallocate()
    forks.deallocate()
  }

  /// Makes both anew in a forked process, in which nobody can hold the lock or wait.
  private func renew() {
    guard rt_renewal_begin(forks) else { return }
    make()
    rt_renewal_end(forks)
  }

  /// [any thread but a render thread] Runs `body` while no other thread holds the lock.
  package func withLock<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    rt_work_enter()
    if forks.pointee != rt_fork_count() { renew() }
    pthread_mutex_lock(mutex)
    defer {
      pthread_mutex_unlock(mutex)
      rt_work_leave()
    }
    return try body()
  }

  /// [under the lock] Runs `body` without the lock.
  package func withoutLock<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_unlock(mutex)
    let works = rt_work_suspend()
    defer {
      rt_work_resume(works)
      pthread_mutex_lock(mutex)
    }
    return try body()
  }

  /// [under the lock] Releases the lock until another thread signals, or until `hostTime`. May
  /// also return for no reason. False if the time is over.
  @discardableResult
  package func wait(until hostTime: UInt64? = nil) -> Bool {
    let works = rt_work_suspend()
    defer { rt_work_resume(works) }
    guard let hostTime else { return pthread_cond_wait(condition, mutex) == 0 }
    var deadline = timespec(
      tv_sec: Int(clamping: hostTime / 1_000_000_000),
      tv_nsec: Int(clamping: hostTime % 1_000_000_000))
    return pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
  }

  /// [under the lock] Wakes all waiting threads.
  package func signal() { pthread_cond_broadcast(condition) }
}
