// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc
import Synchronization

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

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let wake: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [@Sendable () -> Void] = []
  private var drains: [@Sendable () -> Void] = []
  private var listenerCount = 0
  private var isRunning = false
  private let name: StaticString

  private init(name: StaticString) {
    self.name = name
    mutex = .allocate(capacity: 1)
    wake = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(wake, nil)
  }

  /// [any thread] Runs `job` soon, on this thread.
  public func perform(_ job: @escaping @Sendable () -> Void) {
    pthread_mutex_lock(mutex)
    jobs.append(job)
    ensureRunning()
    pthread_cond_signal(wake)
    pthread_mutex_unlock(mutex)
  }

  /// [control thread] Changes the number of listeners for changes found while rendering.
  package func listenersChanged(by change: Int) {
    guard change != 0 else { return }
    pthread_mutex_lock(mutex)
    listenerCount += change
    if listenerCount > 0 { ensureRunning() }
    pthread_cond_signal(wake)
    pthread_mutex_unlock(mutex)
  }

  /// [control thread] From now on calls `drain` at each check for messages. Call this once for each
  /// kind of message.
  package func addMailbox(_ drain: @escaping @Sendable () -> Void) {
    pthread_mutex_lock(mutex)
    drains.append(drain)
    pthread_mutex_unlock(mutex)
  }

  private func ensureRunning() {
    guard !isRunning else { return }
    isRunning = true
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Notifier>.fromOpaque(context).takeUnretainedValue().run()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    pthread_attr_destroy(&attributes)
  }

  private func run() {
    rt_name_thread(name.utf8Start)
    while true {
      pthread_mutex_lock(mutex)
      if jobs.isEmpty, listenerCount == 0 {
        pthread_cond_wait(wake, mutex)
      }
      let due = jobs
      jobs.removeAll()
      let drains = drains.copied()
      pthread_mutex_unlock(mutex)
      for job in due { job() }
      for drain in drains { drain() }
      if due.isEmpty { usleep(Self.pollInterval) }
    }
  }
}
