// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import SignalProcessing
import Synchronization

/// A thread that does jobs for a render thread. The render thread never waits for it while a device
/// waits for sound.
///
/// The render thread does not wake the worker, because that would be a system call. Instead the
/// worker polls for jobs several times in the duration of a job. If no device paces the renders,
/// they wait for the worker, so that the output is the same each time.
final class RenderWorker: @unchecked Sendable {
  /// The part that the render thread uses; it exists as long as the worker.
  let signal: UnsafeMutablePointer<WorkSignal>
  private let name: String
  private let pause: Double
  private let work: () -> Bool
  private var thread: WorkerThread?

  /// [control thread] Makes a worker that is not started yet. It polls for jobs every `pause`
  /// seconds. `work` does one job; it returns false if there is none.
  init(_ name: String, pause: Double, _ work: @escaping () -> Bool) {
    self.name = name
    self.pause = min(max(pause, 0.0002), 0.01)
    self.work = work
    signal = .cell(WorkSignal())
  }

  deinit {
    end()
    signal.endCell()
  }

  /// [control thread] Starts the thread.
  func start() throws(AudioError) {
    let started = WorkerThread(name: name) { [unowned(unsafe) self] _ in run() }
    try started.start()
    thread = started
  }

  /// [control thread] Ends the thread after its current job. Nothing may render meanwhile.
  func end() {
    guard let thread else { return }
    signal.pointee.isEnding.store(true, ordering: .sequentiallyConsistent)
    signal.pointee.wake()
    thread.stop()
    self.thread = nil
  }

  private func run() {
    while !signal.pointee.isEnding.load(ordering: .sequentiallyConsistent) {
      if work() { signal.pointee.signalDone() } else { signal.pointee.sleep(pause) }
    }
  }
}

/// The data that a worker and its render thread share.
struct WorkSignal: ~Copyable {
  /// Whether a device waits for the renders, as reported by the program.
  enum Pace: UInt8, BitwiseCopyable, AtomicRepresentable { case unknown, realTime, offline }

  let pace = Atomic(Pace.unknown)
  fileprivate let isEnding = Atomic(false)
  private let forks = rt_fork_count()
  private let isAwaited = Atomic(false)
  /// The worker sleeps on `jobs`; threads that wait for it sleep on `results`.
  private let jobs = WakeUp()
  private let results = WakeUp()

  fileprivate init() {}

  /// [render thread] Whether the render may wait for the worker: if the program renders offline. If
  /// the program has not reported that, if no device waits for the render and the thread has no
  /// real-time priority.
  var mayWait: Bool {
    @_noLocks
    get {
      // Its thread existed only in the process from which this one was forked.
      guard forks == rt_fork_count() else { return false }
      return switch pace.load(ordering: .relaxed) {
      case .offline: true
      case .realTime: false
      case .unknown: rt_current().pointee.cycles == 0 && !rt_is_real_time()
      }
    }
  }

  /// [a caller that nothing paces] Waits until the worker has increased `count` to `target`.
  @_semantics("no_performance_analysis") @inline(never)
  borrowing func wait(for count: borrowing Atomic<Int>, toReach target: Int) {
    guard count.load(ordering: .acquiring) < target else { return }
    rt_host_enter()
    defer { rt_host_leave() }
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    while count.load(ordering: .acquiring) < target {
      wake()
      results.wait(until: rt_host_time() + 5_000_000)
    }
    isAwaited.store(false, ordering: .sequentiallyConsistent)
  }

  /// [any thread but a device's] Makes the worker poll for jobs now.
  fileprivate borrowing func wake() { jobs.raise() }

  fileprivate borrowing func signalDone() {
    if isAwaited.load(ordering: .sequentiallyConsistent) { results.raise() }
  }

  fileprivate borrowing func sleep(_ seconds: Double) {
    jobs.wait(until: rt_host_time() + UInt64(seconds * 1e9))
  }
}
