// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc

/// A recursive lock of the control side. Render threads only ever try it.
///
/// No function of the program is called while a thread holds one: see `AfterLocks`.
public final class Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  public init() {
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// [control thread] Waits for the lock.
  public func lock() {
    pthread_mutex_lock(mutex)
    rt_current().pointee.locks += 1
  }

  /// [any thread] Takes the lock if it is free or this thread's.
  public func tryLock() -> Bool {
    guard pthread_mutex_trylock(mutex) == 0 else { return false }
    rt_current().pointee.locks += 1
    return true
  }

  /// Lets go of the lock, and does what has waited for that.
  public func unlock() {
    pthread_mutex_unlock(mutex)
    let context = rt_current()
    context.pointee.locks -= 1
    if context.pointee.locks == 0, context.pointee.after_locks != nil { AfterLocks.run() }
  }

  /// [control thread] Runs `body` with the lock held.
  public func withLock<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    lock()
    defer { unlock() }
    return try body()
  }
}
