// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// A thread for work that a render thread must not do. There are two: one calls listeners for
/// changes found while rendering, the other disposes of objects at the request of a host's
/// callback. Disposal may wait for a slice or a server, so notifications have their own thread.
public final class Notifier: @unchecked Sendable {
  /// The thread that calls listeners.
  public static let shared = Notifier(name: "audio-notifier")
  /// The thread that disposes of objects when the requesting thread cannot.
  public static let disposal = Notifier(name: "audio-disposal")

  /// Nanoseconds between checks for messages while there are listeners.
  private static let pollInterval: UInt64 = 5_000_000

  private struct Job {
    /// The earliest time of its run, in host time.
    let time: UInt64
    let run: @Sendable () -> Void
  }

  private let lock = ConditionLock()
  private var jobs: [Job] = []
  private var drains: [@Sendable () -> Void] = []
  private var listenerCount = 0
  private var thread: WorkerThread?
  private let name: String

  private init(name: String) { self.name = name }

  /// [any thread] Runs `job` soon, on this thread, but not before `delay`, in nanoseconds, is over.
  public func perform(after delay: UInt64 = 0, _ job: @escaping @Sendable () -> Void) {
    lock.withLock {
      jobs.append(Job(time: rt_host_time() + delay, run: job))
      ensureRunning()
      lock.signal()
    }
  }

  /// [control thread] Changes the number of listeners for changes found while rendering.
  package func listenersChanged(by change: Int) {
    guard change != 0 else { return }
    lock.withLock {
      listenerCount += change
      if listenerCount > 0 { ensureRunning() }
      lock.signal()
    }
  }

  /// [control thread] From now on calls `drain` at each check for messages. Call this once for each
  /// kind of message.
  package func addMailbox(_ drain: @escaping @Sendable () -> Void) {
    lock.withLock { drains.append(drain) }
  }

  private func ensureRunning() {
    if let thread, !thread.isLost { return }
    let new = WorkerThread(name: name) { [self] _ in run() }
    // If the thread cannot start, the next call tries again.
    thread = (try? new.start()) == nil ? nil : new
  }

  private func run() {
    while true {
      let (due, mailboxes) = lock.withLock { () -> ([Job], [@Sendable () -> Void]) in
        if !jobs.contains(where: { $0.time <= rt_host_time() }) { wait() }
        return (takeDueJobs(), drains.copied())
      }
      for job in due { job.run() }
      for drain in mailboxes { drain() }
    }
  }

  /// [under the lock] Waits for new jobs, until the time of the next one. While there are listeners,
  /// only until the next check for messages, because render threads wake nobody.
  private func wait() {
    var times = jobs.map(\.time)
    if listenerCount > 0 { times.append(rt_host_time() + Self.pollInterval) }
    lock.wait(until: times.min())
  }

  private func takeDueJobs() -> [Job] {
    let now = rt_host_time()
    defer { jobs.removeAll { $0.time <= now } }
    return jobs.filter { $0.time <= now }
  }
}
