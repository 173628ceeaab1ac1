// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A lock whose holder can wait for changes by other threads: a mutex with a condition variable.
///
/// Its holder calls no function that may lock another lock, and none of the program's.
final class ConditionLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    var kind = pthread_condattr_t()
    pthread_condattr_init(&kind)
    pthread_condattr_setclock(&kind, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &kind)
    pthread_condattr_destroy(&kind)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// [any thread but a render thread] Runs `body` while no other thread holds the lock.
  func withLock<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// [holding the lock] Releases the lock until another thread signals, or until `hostTime`.
  func wait(until hostTime: UInt64? = nil) {
    guard let hostTime else {
      pthread_cond_wait(condition, mutex)
      return
    }
    var deadline = timespec(
      tv_sec: Int(clamping: hostTime / 1_000_000_000),
      tv_nsec: Int(clamping: hostTime % 1_000_000_000))
    pthread_cond_timedwait(condition, mutex, &deadline)
  }

  /// [holding the lock] Wakes all waiting threads.
  func signal() { pthread_cond_broadcast(condition) }
}
