// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import CRealTime

// The thread on which a queue decodes or encodes.
extension AudioQueue {
  /// [holding `lock`] Starts the thread unless it runs.
  func startThread() throws(AudioError) {
    guard thread == nil, !isDisposing else { return }
    let started = WorkerThread(name: "audio-queue") { [self] _ in
      lock.withLock { threadID = rt_thread_id() }
      run()
    }
    try started.start()
    thread = started
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
      (isInTapCallback, isHalted && haltingThread == rt_thread_id())
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
  var isInTapCallback: Bool {
    let thread = rt_thread_id()
    return isBusy && busyThread == thread || isHalted && haltingThread == thread
  }

  /// [control thread] Runs `body` while the thread is halted.
  ///
  /// - Throws: Inside a tap's callback, which would wait for itself; and when such a callback does
  ///   not return.
  func whileHalted<Result>(_ body: () -> Result) throws(AudioError) -> Result {
    let deadline = rt_host_time() + Self.tapTimeout
    let mayRun = lock.withLock { () -> Bool in
      guard !isInTapCallback, waits(until: deadline, while: { isHalted }) else { return false }
      isHalted = true
      haltingThread = rt_thread_id()
      guard waits(until: deadline, while: { isBusy }) else {
        isHalted = false
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
        isHalted = false
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

  /// [control thread, during disposal] Ends the device's cycles, the thread and the device link.
  func endThread() {
    control.withLock {
      lock.withLock { isStartingOrStopping = true }
      stopDevice()
    }
    let thread = lock.withLock { () -> WorkerThread? in
      isDisposing = true
      lock.signal()
      defer { self.thread = nil }
      return self.thread
    }
    thread?.stop()
    control.withLock {
      link?.close()
      link = nil
    }
  }
}
