// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Glibc
import Synchronization

/// A thread of the library: it renders the cycles of a stream, reads a file ahead, calls a program's
/// callbacks, or does other work.
///
/// It keeps itself and its body's captures alive until the body has returned. The first `stop` from
/// another thread joins it; without a `stop` it detaches itself at its end. So no thread is left
/// behind, and none waits for itself.
package final class WorkerThread: Sendable {
  private enum Owner: Int, AtomicRepresentable { case itself, joiner, nobody }

  private let name: String
  private let requestsRealTime: Bool
  /// Nil once the thread runs, which then holds its captures.
  private let body: Guarded<(@Sendable (WorkerThread) -> Void)?>

  /// The number of forks before it was made.
  private let forks = rt_fork_count()
  private let owner = Atomic(Owner.itself)
  private let isStopRequested = Atomic(false)
  private let threadID = Atomic<UInt64>(0)
  private let handle = Guarded<pthread_t?>(nil)
  private let state = Guarded<ThreadScheduling?>(nil)
  private let wakeUp = WakeUp()
  private let begun = WakeUp()
  private let hasEnded = Atomic(false)
  private let ended = WakeUp()

  /// Creates a thread that does not run yet.
  ///
  /// - Parameters:
  ///   - name: The thread's name, as `top` shows it, cut to 15 bytes.
  ///   - requestsRealTime: Whether it requests real-time priority.
  ///   - body: The work of the thread. Returns soon after `isStopping` has become true.
  package init(
    name: String, requestsRealTime: Bool = false, body: @escaping @Sendable (WorkerThread) -> Void
  ) {
    self.name = name
    self.requestsRealTime = requestsRealTime
    self.body = Guarded(body)
  }

  /// Its scheduling. Nil before it has started.
  package var scheduling: ThreadScheduling? { state.withLock { $0 } }

  /// Whether the caller runs on this thread.
  package var isCurrent: Bool { threadID.load(ordering: .acquiring) == rt_thread_id() }

  /// Whether it existed only in the process from which this one was forked.
  package var isLost: Bool { forks != rt_fork_count() }

  /// Whether it was told to stop.
  package var isStopping: Bool { isStopRequested.load(ordering: .acquiring) }

  /// [control thread] Starts the thread and returns once it runs.
  package func start() throws(AudioError) {
    try handle.withLock { handle throws(AudioError) in
      let me = Unmanaged.passRetained(self)
      do throws(AudioError) {
        handle = try startThread({ WorkerThread.main($0) }, me.toOpaque())
      } catch {
        me.release()
        throw error.of("no thread \"\(name)\"")
      }
    }
    begun.wait()
  }

  /// [any thread] Tells the thread to stop, and wakes it if it sleeps.
  package func requestStop() {
    isStopRequested.store(true, ordering: .releasing)
    wakeUp.raise()
  }

  /// [any thread] Tells the thread to stop and waits until it has ended. Does not wait if called on
  /// the thread itself.
  package func stop() {
    requestStop()
    if isCurrent || isLost { return }
    handle.withLock { handle in  // a second caller waits here for the first one's join
      guard let thread = handle else { return }
      handle = nil
      let (isOurs, _) = owner.compareExchange(
        expected: .itself, desired: .joiner, ordering: .acquiringAndReleasing)
      if isOurs { whileForksMayCome { _ = pthread_join(thread, nil) } }
    }
  }

  /// [any thread but this one] Like `stop`, but waits at most `seconds`. False if the thread has
  /// not ended by then; it ends when it can.
  package func stop(within seconds: Double) -> Bool {
    requestStop()
    if isLost { return true }
    let deadline = rt_host_time() + UInt64(seconds * 1_000_000_000)
    while !hasEnded.load(ordering: .acquiring), rt_host_time() < deadline {
      ended.wait(until: deadline)
    }
    ended.raise()  // for any other waiting thread
    guard hasEnded.load(ordering: .acquiring) else { return false }
    stop()
    return true
  }

  /// [this thread] Sleeps until a time on the host clock. False if it was told to stop instead.
  package func sleep(until hostTime: UInt64) -> Bool {
    while !isStopping {
      if rt_host_time() >= hostTime { return true }
      wakeUp.wait(until: hostTime)
    }
    return false
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<WorkerThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  private func run() {
    threadID.store(rt_thread_id(), ordering: .releasing)
    rt_prepare_thread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
    let scheduling: ThreadScheduling = requestsRealTime ? .requestRealTime() : .offline
    state.withLock { $0 = scheduling }
    begun.raise()

    body.withLock { $0.take() }?(self)

    hasEnded.store(true, ordering: .releasing)
    ended.raise()
    threadID.store(0, ordering: .releasing)  // another thread may get the id soon
    let (isOurs, _) = owner.compareExchange(
      expected: .itself, desired: .nobody, ordering: .acquiringAndReleasing)
    if isOurs { pthread_detach(pthread_self()) }
  }
}

/// Starts a thread that does not receive the program's signals. The caller joins or detaches it.
///
/// A new thread inherits the mask of blocked signals, so the program's signal handlers run on its
/// own threads. Faults are not blocked, because crash reporters need them; nor is the profilers'
/// timer.
///
/// - Throws: The system's error when it cannot create another thread.
private func startThread(
  _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
  _ context: UnsafeMutableRawPointer
) throws(AudioError) -> pthread_t {
  var blocked = sigset_t()
  var before = sigset_t()
  sigfillset(&blocked)
  for open in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] {
    sigdelset(&blocked, open)
  }
  pthread_sigmask(SIG_SETMASK, &blocked, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  var thread = pthread_t()
  let error = pthread_create(&thread, nil, body, context)
  guard error == 0 else { throw .outOfMemory.because(String(cString: strerror(error))) }
  return thread
}
