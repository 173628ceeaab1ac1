// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc

/// A recursive lock of control threads. Render threads only use `tryLock`.
///
/// A thread that holds a lock calls no function of the program: see `AfterLocks` and
/// `whileYielded`.
public final class Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The number of forks before the mutex was made.
  private let forks: UnsafeMutablePointer<UInt32>
  private let canYield: Bool

  /// A free lock.
  ///
  /// The holder of a lock that can yield leaves the guarded data consistent after each step, so
  /// that other threads may have the lock in between. A thread holds at most one lock that can
  /// yield.
  public init(canYield: Bool = false) {
    self.canYield = canYield
    mutex = .allocate(capacity: 1)
    forks = .allocate(capacity: 1)
    forks.initialize(to: rt_fork_count())
    makeMutex()
  }

  private func makeMutex() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  /// Makes the mutex anew in a forked process, in which nobody can hold it.
  private func renew() {
    guard rt_renewal_begin(forks) else { return }
    makeMutex()
    rt_renewal_end(forks)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    forks.deallocate()
  }

  /// [control thread] Waits for the lock.
  public func lock() {
    rt_work_enter()
    if forks.pointee != rt_fork_count() { renew() }
    pthread_mutex_lock(mutex)
    count()
  }

  /// [any thread] Acquires the lock if it is free or this thread already holds it.
  public func tryLock() -> Bool {
    rt_work_enter()
    if forks.pointee != rt_fork_count() { renew() }
    guard pthread_mutex_trylock(mutex) == 0 else {
      rt_work_leave()
      return false
    }
    count()
    return true
  }

  private func count() {
    let context = rt_current()
    context.pointee.locks += 1
    guard canYield else { return }
    if context.pointee.yielding == nil { context.pointee.yielding = address }
    if context.pointee.yielding == address { context.pointee.yielding_count += 1 }
  }

  /// [any thread] How many locks this thread holds, counting repeated ones.
  static var heldCount: Int { Int(rt_current().pointee.locks) }

  private var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Releases the lock, and runs the jobs that waited for it.
  public func unlock() {
    let context = rt_current()
    if canYield, context.pointee.yielding == address {
      context.pointee.yielding_count -= 1
      if context.pointee.yielding_count == 0 { context.pointee.yielding = nil }
    }
    pthread_mutex_unlock(mutex)
    context.pointee.locks -= 1
    rt_work_leave()
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

  /// [any thread] Runs `body`, which calls a function of the program. Meanwhile other threads may
  /// have the yielding lock that this thread holds, if any. A render thread keeps its lock, because
  /// it must not wait to get it back.
  package static func whileYielded<Result, Failure>(_ body: () throws(Failure) -> Result)
    throws(Failure) -> Result
  {
    let context = rt_current()
    guard context.pointee.depth == 0, let address = context.pointee.yielding else {
      return try body()
    }
    let lock = Unmanaged<Lock>.fromOpaque(address).takeUnretainedValue()
    let count = context.pointee.yielding_count
    // Jobs that wait for this thread's last lock continue to wait: this release is temporary.
    let jobs = AfterLocks.setAside()
    for _ in 0..<count { lock.unlock() }
    defer {
      for _ in 0..<count { lock.lock() }
      // Jobs of `body` are still there if this thread holds another lock.
      AfterLocks.putBack(jobs)
    }
    return try body()
  }
}
