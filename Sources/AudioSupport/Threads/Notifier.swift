// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc
import Synchronization

/// A thread that does what a render thread must not. There are two: one calls listeners for changes
/// found while rendering, the other ends what a host's callback asked to end. Ends may wait for a slice
/// or a server, and notices do not wait behind them.
public final class Notifier: @unchecked Sendable {
  /// Tells what was found.
  public static let shared = Notifier(name: "audio-notifier")
  /// Ends what could not be ended where that was requested.
  public static let endings = Notifier(name: "audio-endings")

  /// How often the mailbox is looked at while somebody listens, in microseconds.
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

  /// [control thread] Tells that one more (or one fewer) listener waits for what renders find.
  package func listenersChanged(by change: Int) {
    guard change != 0 else { return }
    pthread_mutex_lock(mutex)
    listenerCount += change
    if listenerCount > 0 { ensureRunning() }
    pthread_cond_signal(wake)
    pthread_mutex_unlock(mutex)
  }

  /// [control thread] Has `drain` called whenever the mailbox is looked at, from now on: once for
  /// each kind of message.
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
