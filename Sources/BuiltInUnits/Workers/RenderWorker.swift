// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Glibc
import SignalProcessing
import Synchronization

/// A thread that works for a render thread. The render thread gives it jobs, and never waits for it
/// while a device waits for sound.
///
/// The render thread does not wake it, as that would be a system call: the worker polls for jobs, a
/// few times in the time that one of them may take. Where no device paces the renders, they wait
/// for the worker, so that the output is the same each time.
final class RenderWorker: @unchecked Sendable {
  /// The part that the render thread uses; it lives as long as the worker.
  let signal: UnsafeMutablePointer<WorkSignal>
  private let name: StaticString
  private let pause: Double
  private let work: () -> Bool
  private var thread: pthread_t?

  /// [control thread] Makes a worker that is not started yet. It looks for jobs every `pause`
  /// seconds; `work` does one, and returns whether there was one.
  init(_ name: StaticString, pause: Double, _ work: @escaping () -> Bool) {
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
    thread = try startPlainThread(
      { context in
        guard let context else { return nil }
        Unmanaged<RenderWorker>.fromOpaque(context).takeUnretainedValue().run()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// [control thread] Ends the thread after its current job. Nothing renders.
  func end() {
    guard let thread else { return }
    signal.pointee.isEnding.store(true, ordering: .sequentiallyConsistent)
    signal.pointee.wake()
    pthread_join(thread, nil)
    self.thread = nil
  }

  private func run() {
    rt_name_thread(UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self))
    while !signal.pointee.isEnding.load(ordering: .sequentiallyConsistent) {
      if work() { signal.pointee.signalDone() } else { signal.pointee.sleep(pause) }
    }
  }
}

/// What a worker shares with its render thread.
struct WorkSignal: ~Copyable {
  /// Whether the program reports that nothing waits for its renders.
  enum Pace: UInt8, BitwiseCopyable, AtomicRepresentable { case unknown, realTime, offline }

  let pace = Atomic(Pace.unknown)
  fileprivate let isEnding = Atomic(false)
  private let isAwaited = Atomic(false)
  /// The worker sleeps on one, threads that wait for it on the other.
  private let jobs: UnsafeMutablePointer<sem_t>
  private let results: UnsafeMutablePointer<sem_t>

  fileprivate init() {
    jobs = .allocate(capacity: 1)
    results = .allocate(capacity: 1)
    sem_init(jobs, 0, 0)
    sem_init(results, 0, 0)
  }

  deinit {
    sem_destroy(jobs)
    sem_destroy(results)
    jobs.deallocate()
    results.deallocate()
  }

  /// [render thread] Whether the render may wait: if the program permits it or, while that is
  /// unset, if no device waits for the render and the thread is an ordinary one.
  var mayWait: Bool {
    @_noLocks
    get {
      switch pace.load(ordering: .relaxed) {
      case .offline: true
      case .realTime: false
      case .unknown: rt_current().pointee.cycles == 0 && !rt_is_real_time()
      }
    }
  }

  /// [a caller that nothing paces] Waits until the worker has counted up to `target`.
  @_semantics("no_performance_analysis") @inline(never)
  borrowing func wait(for count: borrowing Atomic<Int>, toReach target: Int) {
    guard count.load(ordering: .acquiring) < target else { return }
    rt_host_enter()
    defer { rt_host_leave() }
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    while count.load(ordering: .acquiring) < target {
      wake()
      Self.sleep(on: results, 0.005)
    }
    isAwaited.store(false, ordering: .sequentiallyConsistent)
  }

  /// [any thread but a device's] Makes the worker look for jobs now.
  fileprivate borrowing func wake() { sem_post(jobs) }

  fileprivate borrowing func signalDone() {
    if isAwaited.load(ordering: .sequentiallyConsistent) { sem_post(results) }
  }

  fileprivate borrowing func sleep(_ seconds: Double) { Self.sleep(on: jobs, seconds) }

  private static func sleep(on semaphore: UnsafeMutablePointer<sem_t>, _ seconds: Double) {
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    until.tv_nsec += Int(seconds * 1e9)
    until.tv_sec += until.tv_nsec / 1_000_000_000
    until.tv_nsec %= 1_000_000_000
    sem_timedwait(semaphore, &until)
  }
}
