// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import CRealTime
import Glibc

/// Where the functions of a program are called: a run loop, a dispatch queue, or a thread of ours.
package protocol CallbackPlace: AnyObject, Sendable {
  /// [any thread but a render thread] Does `job` there, after those before.
  func perform(_ job: @escaping @Sendable () -> Void)
  /// [control thread] Nothing more is done there; a job that has begun may go on.
  func leave()
}

/// A thread of the queue's own, which begins with the first job.
package final class CallbackThread: CallbackPlace, @unchecked Sendable {
  private let monitor = Monitor()
  // All guarded by `monitor`.
  private var jobs: [@Sendable () -> Void] = []
  private var isRunning = false
  private var hasLeft = false

  package init() {}

  package func perform(_ job: @escaping @Sendable () -> Void) {
    let starts = monitor.withLock {
      guard !hasLeft else { return false }
      jobs.append(job)
      monitor.signal()
      defer { isRunning = true }
      return !isRunning
    }
    if starts { start() }
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
    while let job = next() { job() }
  }

  private func next() -> (@Sendable () -> Void)? {
    monitor.withLock {
      while jobs.isEmpty, !hasLeft { monitor.wait() }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }
}
