// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Glibc
import Synchronization

/// A thread that renders the cycles of a stream, moves its samples to and from a file, or does
/// other work of a device.
///
/// It keeps itself and its body's captures alive until the body has returned. The first `stop` from
/// another thread joins it; without a `stop` it detaches itself at its end. So no thread is left
/// behind, and none waits for itself.
final class DeviceThread: Sendable {
  private enum Owner: Int, AtomicRepresentable { case itself, joiner, nobody }

  private let name: String
  private let requestsRealTime: Bool
  private let body: @Sendable (DeviceThread) -> Void

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
  init(name: String, requestsRealTime: Bool, body: @escaping @Sendable (DeviceThread) -> Void) {
    self.name = name
    self.requestsRealTime = requestsRealTime
    self.body = body
  }

  /// Its scheduling. Nil before it has started.
  var scheduling: ThreadScheduling? { state.withLock { $0 } }

  /// Whether the caller runs on this thread.
  var isCurrent: Bool { threadID.load(ordering: .acquiring) == rt_thread_id() }

  /// Whether it was told to stop.
  var isStopping: Bool { isStopRequested.load(ordering: .acquiring) }

  /// [control thread] Starts the thread and returns once it runs.
  func start() throws(AudioError) {
    try handle.withLock { handle throws(AudioError) in
      let me = Unmanaged.passRetained(self)
      do throws(AudioError) {
        handle = try startPlainThread({ DeviceThread.main($0) }, me.toOpaque())
      } catch {
        me.release()
        throw error.of("no thread \"\(name)\"")
      }
    }
    begun.wait()
  }

  /// [any thread] Tells the thread to stop, and wakes it if it sleeps.
  func requestStop() {
    isStopRequested.store(true, ordering: .releasing)
    wakeUp.raise()
  }

  /// [any thread] Tells the thread to stop and waits until it has ended. Does not wait if called on
  /// the thread itself.
  func stop() {
    requestStop()
    if isCurrent { return }
    handle.withLock { handle in  // a second caller waits here for the first one's join
      guard let thread = handle else { return }
      handle = nil
      let (isOurs, _) = owner.compareExchange(
        expected: .itself, desired: .joiner, ordering: .acquiringAndReleasing)
      if isOurs { pthread_join(thread, nil) }
    }
  }

  /// [any thread but this one] Like `stop`, but waits at most `seconds`. False if the thread has
  /// not ended by then; it ends when it can.
  func stop(within seconds: Double) -> Bool {
    requestStop()
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
  func sleep(until hostTime: UInt64) -> Bool {
    while !isStopping {
      if rt_host_time() >= hostTime { return true }
      wakeUp.wait(until: hostTime)
    }
    return false
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<DeviceThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  private func run() {
    threadID.store(rt_thread_id(), ordering: .releasing)
    setThreadName()
    let scheduling =
      requestsRealTime ? RealTimeScheduling.request() : .offline
    state.withLock { $0 = scheduling }
    begun.raise()

    body(self)

    hasEnded.store(true, ordering: .releasing)
    ended.raise()
    threadID.store(0, ordering: .releasing)  // another thread may get the id soon
    let (isOurs, _) = owner.compareExchange(
      expected: .itself, desired: .nobody, ordering: .acquiringAndReleasing)
    if isOurs { pthread_detach(pthread_self()) }
  }

  // Glibc's module lacks pthread_setname_np.
  private func setThreadName() {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = write(file, name, min(name.utf8.count, 15))
    _ = close(file)
  }
}
