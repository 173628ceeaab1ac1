// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import CRealTime

/// Calls a program's callbacks: on a run loop, on a dispatch queue, or on our own thread.
package protocol CallbackExecutor: AnyObject, Sendable {
  /// [any thread but a render thread] Runs `job` later, after all earlier jobs.
  func perform(_ job: @escaping @Sendable () -> Void)
  /// [control thread] Waits until all jobs so far are done, or until the host time `deadline`. Does
  /// not wait when only the calling thread could run them.
  func waitForJobs(until deadline: UInt64)
  /// [control thread] Starts no more jobs; a job that has begun may continue.
  func stop()
}

/// A thread for the callbacks of one queue; it starts with the first job.
package final class CallbackThread: CallbackExecutor, @unchecked Sendable {
  private let lock = ConditionLock()
  // All guarded by `lock`.
  private var jobs = FirstInFirstOut<@Sendable () -> Void>()
  private var isRunning = false
  private var isStopped = false
  private var thread: UInt64 = 0
  private var addedCount = 0
  private var doneCount = 0

  package init() {}

  package func perform(_ job: @escaping @Sendable () -> Void) {
    let starts = lock.withLock {
      guard !isStopped else { return false }
      jobs.append(job)
      addedCount += 1
      lock.signal()
      defer { isRunning = true }
      return !isRunning
    }
    if starts { start() }
  }

  package func waitForJobs(until deadline: UInt64) {
    lock.withLock {
      let added = addedCount
      while doneCount < added, isRunning, !isStopped, thread != rt_thread_id(),
        rt_host_time() < deadline
      { lock.wait(until: deadline) }
    }
  }

  package func stop() {
    lock.withLock {
      isStopped = true
      jobs.removeAll()
      lock.signal()
    }
  }

  private func start() {
    let worker = WorkerThread(name: "audio-callbacks") { [self] _ in run() }
    // Without a thread, the next job tries again.
    if (try? worker.start()) == nil { lock.withLock { isRunning = false } }
  }

  private func run() {
    lock.withLock { thread = rt_thread_id() }
    while let job = next() {
      job()
      lock.withLock {
        doneCount += 1
        lock.signal()
      }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    lock.withLock {
      while jobs.isEmpty, !isStopped { lock.wait() }
      return jobs.removeFirst()
    }
  }
}
