// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc

/// A flag that one thread waits for and others raise. A wait can also end at a time on the host
/// clock.
///
/// Waking lowers the flag. It uses a condition variable rather than a sleep, so that a stop need
/// not wait for the rest of a long cycle.
final class WakeUp: @unchecked Sendable {  // all state is guarded by `mutex`
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isRaised = false

  init() {
    // A waiting thread with real-time priority lends its priority to the thread that raises the
    // flag.
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

  /// Wakes the waiting thread, now or as soon as it waits.
  func raise() {
    pthread_mutex_lock(mutex)
    isRaised = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Lowers the flag; returns whether it was raised.
  func lower() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    defer { isRaised = false }
    return isRaised
  }

  /// Waits until the flag is raised.
  func wait() {
    pthread_mutex_lock(mutex)
    while !isRaised { pthread_cond_wait(condition, mutex) }
    isRaised = false
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the flag is raised or the host clock reaches `hostTime`, in nanoseconds.
  func wait(until hostTime: UInt64) {
    var deadline = timespec(
      tv_sec: Int(clamping: hostTime / 1_000_000_000),
      tv_nsec: Int(clamping: hostTime % 1_000_000_000))
    pthread_mutex_lock(mutex)
    while !isRaised {
      if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { break }
    }
    isRaised = false
    pthread_mutex_unlock(mutex)
  }
}
