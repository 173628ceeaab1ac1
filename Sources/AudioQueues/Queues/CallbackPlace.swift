// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import CRealTime
import Glibc

/// Where a program's functions are called: a run loop, a dispatch queue, or our own thread.
package protocol CallbackPlace: AnyObject, Sendable {
  /// [any thread but a render thread] Runs `job` there, after earlier jobs.
  func perform(_ job: @escaping @Sendable () -> Void)
  /// [control thread] Waits until all jobs so far are done, or until the host time `deadline`; does
  /// not wait if only the calling thread could do them.
  func settle(until deadline: UInt64)
  /// [control thread] Runs no more jobs there; a job that has begun may continue.
  func leave()
}

/// A thread of the queue, which starts with the first job.
package final class CallbackThread: CallbackPlace, @unchecked Sendable {
  private let monitor = Monitor()
  // All guarded by `monitor`.
  private var jobs: [@Sendable () -> Void] = []
  private var isRunning = false
  private var hasLeft = false
  private var thread: UInt64 = 0
  private var givenCount = 0
  private var doneCount = 0

  package init() {}

  package func perform(_ job: @escaping @Sendable () -> Void) {
    let starts = monitor.withLock {
      guard !hasLeft else { return false }
      jobs.append(job)
      givenCount += 1
      monitor.signal()
      defer { isRunning = true }
      return !isRunning
    }
    if starts { start() }
  }

  package func settle(until deadline: UInt64) {
    monitor.withLock {
      let given = givenCount
      while doneCount < given, isRunning, !hasLeft, thread != rt_thread_id(),
        rt_host_time() < deadline
      { monitor.wait(until: deadline) }
    }
  }

  package func leave() {
    monitor.withLock {
      hasLeft = true
      jobs.removeAll()
      monitor.signal()
    }
  }

  private func start() {
    let me = Unmanaged.passRetained(self)
    let thread = try? startPlainThread(
      { context in
        guard let context else { return nil }
        rt_name_thread("audio-callbacks")
        Unmanaged<CallbackThread>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, me.toOpaque())
    guard let thread else {
      // The machine has no thread left: the next job tries again.
      me.release()
      monitor.withLock { isRunning = false }
      return
    }
    pthread_detach(thread)
  }

  private func run() {
    monitor.withLock { thread = rt_thread_id() }
    while let job = next() {
      job()
      monitor.withLock {
        doneCount += 1
        monitor.signal()
      }
    }
  }

  private func next() -> (@Sendable () -> Void)? {
    monitor.withLock {
      while jobs.isEmpty, !hasLeft { monitor.wait() }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }
}
