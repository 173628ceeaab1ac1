// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import CRealTime

/// Which thread may change a queue, and which uses its buffers.
final class QueueAccess: @unchecked Sendable {
  /// Serializes starts, stops and changes of settings that are fixed while the queue runs. Its
  /// holder may wait for the queue's thread and for a cycle of the device; so these never wait for
  /// it. See `controlling`.
  let control = Lock()
  /// Guards all properties below, and those of the queue and its parts that are marked as guarded.
  let lock = ConditionLock()
  var state = QueueState.stopped
  /// Whether the queue disposes of itself when it stops.
  var disposesWhenStopped = false
  var bufferUse = BufferUse()
  var tap: ProcessingTap?
  /// The number of threads that want to stop or reset the queue. A start waits for no frames then.
  private(set) var stopRequests = 0

  /// [holding `lock`] Whether the program has disposed of the queue.
  var isDisposing: Bool { state == .disposing }

  /// The tap that processes the sound.
  var currentTap: ProcessingTap? {
    get { lock.withLock { tap } }
    set { lock.withLock { tap = newValue } }
  }

  /// Throws while the queue runs: the device, the layout and similar settings are fixed then.
  func requireStopped() throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      guard !isDisposing else { throw .queueDisposal }
      guard state == .stopped else {
        throw .queueRunState.because("the queue is \(state); stop it first")
      }
    }
  }

  // MARK: Control

  /// [control thread] Runs `body` while no other thread starts, stops or resets the queue. `isStart`:
  /// `body` starts the queue; otherwise a start that waits for frames ends its waiting.
  ///
  /// - Throws: Inside a tap's callback, while another thread has control: it may be waiting for the
  ///   callback.
  func controlling<Result>(
    isStart: Bool = false, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    if !isStart {
      lock.withLock {
        stopRequests += 1
        lock.signal()
      }
    }
    let hasControl = acquireControl()
    if !isStart { lock.withLock { stopRequests -= 1 } }
    guard hasControl else {
      throw .queueRunState.because(
        "this is not possible inside a tap's callback while the queue is being started or stopped")
    }
    defer { control.unlock() }
    return try body()
  }

  /// Acquires `control`; false instead of waiting inside a tap's callback.
  private func acquireControl() -> Bool {
    let (isInTap, isHalting) = lock.withLock {
      (isInTapCallback, bufferUse.isHaltedByThisThread)
    }
    guard isInTap else {
      control.lock()
      return true
    }
    // The thread that halts the queue is the one that stops it.
    return !isHalting && control.tryLock()
  }

  /// [the queue's thread] Runs `body` if no other thread has control; that thread may be waiting for
  /// this one. Otherwise waits a moment; the caller tries again.
  func controllingIfFree(_ body: () -> Void) {
    guard control.tryLock() else {
      return lock.withLock { lock.wait(until: rt_host_time() + 1_000_000) }
    }
    defer { control.unlock() }
    body()
  }

  // MARK: Halting

  /// How long other threads wait for the callback of a tap, in nanoseconds.
  private static let tapTimeout: UInt64 = 300_000_000

  /// [holding `lock`] Whether this thread processes buffers, or has halted the thread that does:
  /// program code that runs now is a tap's callback.
  var isInTapCallback: Bool { bufferUse.isOfThisThread }

  /// [control thread] Runs `body` while the thread is halted.
  ///
  /// - Throws: Inside a tap's callback, which would wait for itself; and when such a callback does
  ///   not return.
  func whileHalted<Result>(_ body: () -> Result) throws(AudioError) -> Result {
    let deadline = rt_host_time() + Self.tapTimeout
    let mayRun = lock.withLock { () -> Bool in
      guard !isInTapCallback, waits(until: deadline, while: { bufferUse.isHalted }) else {
        return false
      }
      bufferUse.halt()
      guard waits(until: deadline, while: { bufferUse.isBusy }) else {
        bufferUse.resume()
        lock.signal()
        return false
      }
      return true
    }
    guard mayRun else {
      throw .queueRunState.because(
        "this is not possible inside a tap's callback, or while that callback does not return")
    }
    defer {
      lock.withLock {
        bufferUse.resume()
        lock.signal()
      }
    }
    return body()
  }

  /// Throws inside a tap's callback, where the queue cannot be stopped at once, nor reset.
  func requireNoTapCallback() throws(AudioError) {
    guard !lock.withLock({ isInTapCallback }) else {
      throw .queueRunState.because(
        "this is not possible inside a tap's callback; there, AudioQueueStop can only stop the queue "
          + "after all enqueued buffers")
    }
  }

  /// [holding `lock`] Waits while `condition` holds, at most until `deadline` for the callback of a
  /// tap: it may wait for this thread. Returns whether the condition has ended.
  private func waits(until deadline: UInt64, while condition: () -> Bool) -> Bool {
    while condition() {
      guard tap?.isInCallback != true || rt_host_time() < deadline else { return false }
      lock.wait(until: tap == nil ? nil : rt_host_time() + 10_000_000)
    }
    return true
  }
}
