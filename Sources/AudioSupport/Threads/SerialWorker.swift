// SPDX-License-Identifier: Apache-2.0
import CRealTime
import Synchronization

/// Runs jobs that may take long, one after the other, on a thread that exists only while there are
/// jobs.
///
/// Every call that may wait forever for a server goes through a worker. Each server blocks at most
/// one thread, however many calls there are, and each caller waits for a limited time.
public final class SerialWorker: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var thread: WorkerThread?
    /// When the current job began, in host time.
    var begun: UInt64 = 0

    /// Drops the jobs of the process from which this one was forked: its thread does them.
    mutating func endLostThread() {
      guard let thread, thread.isLost else { return }
      self = State()
    }
  }

  private let name: String
  private let state = Guarded(State())

  /// Creates an idle worker. Its thread is called `name`, and so are threads that a library starts
  /// on it, which inherit the name.
  public init(name: String) { self.name = name }

  /// [any thread] Whether there are no jobs.
  public var isIdle: Bool { withState { $0.thread == nil } }

  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      state.endLostThread()
      return body(&state)
    }
  }

  /// [any thread but a render thread] Runs `job` after earlier jobs.
  public func perform(_ job: @escaping @Sendable () -> Void) {
    // If no thread can be started, the job runs here.
    if !add(job, isKept: false) { job() }
  }

  /// [any thread but a render thread] Runs `job` after earlier jobs, on the thread. False if that cannot
  /// be started: the job is not run.
  package func performOnThread(_ job: @escaping @Sendable () -> Void) -> Bool {
    add(job, isKept: false)
  }

  /// [any thread but a render thread] Runs `job` after earlier jobs, never within this call. If the
  /// thread cannot be started now, the job waits for the next one.
  package func performLater(_ job: @escaping @Sendable () -> Void) { _ = add(job, isKept: true) }

  /// Adds a job; false if there is no thread that runs it. Then it remains only if it is kept.
  private func add(_ job: @escaping @Sendable () -> Void, isKept: Bool) -> Bool {
    withState { state in
      state.jobs.append(job)
      guard state.thread == nil else { return true }
      let thread = WorkerThread(name: name) { [self] _ in run() }
      state.thread = thread
      state.begun = rt_host_time()
      if (try? thread.start()) != nil { return true }
      state.thread = nil
      if !isKept { state.jobs.removeLast() }
      return false
    }
  }

  /// [control thread] Runs `work` after earlier jobs and waits for its result, at most `seconds`.
  ///
  /// If a job has kept the worker busy for longer than that, `work` is refused. Its captures stay
  /// alive until it is done, even after the caller has stopped waiting. In that case its argument
  /// `isAwaited` returns false, and the work has to clean up after itself. Work that had not begun
  /// by then is skipped.
  ///
  /// - Returns: The result, nil if it took too long.
  package func result<Result: Sendable>(
    within seconds: Double,
    _ work: @escaping @Sendable (_ isAwaited: @Sendable () -> Bool) -> Result
  ) -> Result? {
    if isCurrent { return work { true } }
    guard !isStuck(for: seconds) else { return nil }
    let answer = Guarded<(result: Result?, isAwaited: Bool)>((nil, true))
    let done = WakeUp()
    perform {
      defer { done.raise() }
      guard answer.withLock({ $0.isAwaited }) else { return }
      let result = work { answer.withLock { $0.isAwaited } }
      answer.withLock { $0.result = result }
    }
    done.wait(until: rt_host_time() + UInt64(seconds * 1_000_000_000))
    return answer.withLock { answer in
      if answer.result == nil { answer.isAwaited = false }
      return answer.result
    }
  }

  /// [any thread but a render thread] Runs `job` in any case, after earlier jobs, and waits for its
  /// end, at most `seconds`. Does not wait behind a job that has already taken that long.
  package func finish(within seconds: Double, _ job: @escaping @Sendable () -> Void) {
    if isCurrent { return job() }
    let isStuck = isStuck(for: seconds)
    let done = WakeUp()
    perform {
      job()
      done.raise()
    }
    if !isStuck { done.wait(until: rt_host_time() + UInt64(seconds * 1_000_000_000)) }
  }

  private var isCurrent: Bool { withState { $0.thread?.isCurrent ?? false } }

  private func isStuck(for seconds: Double) -> Bool {
    withState { state in
      guard state.thread != nil else { return false }
      return Double(rt_host_time() - state.begun) * 1e-9 > seconds
    }
  }

  private func run() {
    while let job = next() { job() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.thread = nil
        return nil
      }
      state.begun = rt_host_time()
      return state.jobs.removeFirst()
    }
  }
}
