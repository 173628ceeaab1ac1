// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A thread for work that a render thread must not do. There are two: one calls listeners for
/// changes found while rendering, the other disposes of objects at the request of a host's
/// callback. Disposal may wait for a slice or a server, so notifications have their own thread.
public final class Notifier: @unchecked Sendable {
  /// The thread that calls listeners.
  public static let shared = Notifier(name: "audio-notifier")
  /// The thread that disposes of objects when the requesting thread cannot.
  public static let disposal = Notifier(name: "audio-disposal")

  /// Microseconds between checks for messages while there are listeners.
  private static let pollInterval: UInt32 = 5_000

  private let lock = ConditionLock()
  private var jobs: [@Sendable () -> Void] = []
  private var drains: [@Sendable () -> Void] = []
  private var listenerCount = 0
  private var thread: WorkerThread?
  private let name: String

  private init(name: String) { self.name = name }

  /// [any thread] Runs `job` soon, on this thread.
  public func perform(_ job: @escaping @Sendable () -> Void) {
    lock.withLock {
      jobs.append(job)
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
      let due = lock.withLock { () -> [@Sendable () -> Void] in
        if jobs.isEmpty, listenerCount == 0 { lock.wait() }
        defer { jobs.removeAll() }
        return jobs
      }
      for job in due { job() }
      for drain in lock.withLock({ drains.copied() }) { drain() }
      if due.isEmpty { usleep(Self.pollInterval) }
    }
  }
}
