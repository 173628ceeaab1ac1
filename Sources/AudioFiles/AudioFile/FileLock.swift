// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
import Glibc
import Synchronization
@_spi(TrappingConversions) import CheckedNumbers

/// The lock of a file: calls for one file wait for each other, but never for a function of the
/// program.
///
/// While such a function reads or writes the file's bytes, other threads may acquire the lock to
/// read or close the file. Closing waits for the function, but only a few seconds, because the
/// function may be waiting for the closing thread. After the timeout, or inside the function, the
/// file closes when the current call returns. A second change would find the file in the middle of
/// the first one, so it is refused: on the same thread immediately, on others after a timeout.
final class FileLock: @unchecked Sendable {
  /// Timeouts in nanoseconds: of a change that waits for another change, and of a close that waits
  /// for current calls.
  private static let (changeTimeout, closeTimeout): (UInt64, UInt64) = (
    500_000_000, 3_000_000_000
  )

  private let lock = Lock()
  /// The thread that holds the lock; 0 for none.
  private let holder = Atomic<UInt>(0)
  // Only the holder may use the following.
  /// How often the holder has acquired the lock.
  private var depth = 0
  /// Calls in progress, including nested ones and those inside a function of the program.
  private var callCount = 0
  /// The thread that changes the file; 0 for none.
  private var changer: UInt = 0
  /// Threads that are inside a function of the program.
  private var callingThreads: [UInt] = []
  /// Runs when the last call in progress returns.
  private var whenIdle: (() -> Void)?

  private static var thread: UInt { UInt(pthread_self()) }

  /// [control thread] Runs `body` when no other thread uses this file, except threads inside a
  /// function of the program.
  ///
  /// - Throws: When `body` changes the file in the middle of another change.
  func run<Result>(
    changes: Bool, name: @autoclosure () -> String, _ body: () throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    let isNested = holder.load(ordering: .relaxed) == Self.thread
    // The outer call waits and counts for both.
    if isNested, !changes { return try body() }
    acquire()
    defer { release() }
    if changes, !isNested { try waitForChanges(name) }
    let isChanger = changes && changer == 0
    if isChanger { changer = Self.thread }
    callCount += 1
    defer {
      if isChanger { changer = 0 }
      callCount -= 1
      if callCount == 0, let whenIdle {
        self.whenIdle = nil
        whenIdle()
      }
    }
    return try body()
  }

  /// [control thread] Waits until no call is in progress. Returns false inside a function of the
  /// program, and after a timeout, as such a function may be waiting for this thread.
  func waitUntilIdle() -> Bool {
    acquire()
    defer { release() }
    let end = rt_host_time() + Self.closeTimeout
    waitPolling(every: 1_000, until: end, releasing: released) {
      callCount > 0 && !callingThreads.contains(Self.thread)
    }
    return callCount == 0
  }

  /// [control thread] Runs `body` when no call is in progress: after `waitUntilIdle`, or, if that
  /// returns false, on the thread whose call returns last.
  func runWhenIdle(_ body: @escaping () -> Void) {
    acquire()
    defer { release() }
    guard !waitUntilIdle() else { return body() }
    let earlier = whenIdle
    whenIdle = {
      earlier?()
      body()
    }
  }

  /// [any thread] Runs `body`, which calls a function of the program, without the lock.
  func callProgram<Result>(_ body: () -> Result) -> Result {
    guard holder.load(ordering: .relaxed) == Self.thread else { return body() }
    callingThreads.append(Self.thread)
    defer {
      if let index = callingThreads.lastIndex(of: Self.thread) { callingThreads.remove(at: index) }
    }
    return released(body)
  }

  /// Runs `body` without the lock, which this thread holds.
  private func released<Result>(_ body: () -> Result) -> Result {
    let depth = depth
    self.depth = 1
    release()
    defer {
      acquire()
      self.depth = depth
    }
    return body()
  }

  private func acquire() {
    if holder.load(ordering: .relaxed) != Self.thread {
      lock.lock()
      holder.store(Self.thread, ordering: .relaxed)
    }
    depth += 1
  }

  private func release() {
    depth -= 1
    guard depth == 0 else { return }
    holder.store(0, ordering: .relaxed)
    lock.unlock()
  }

  private func waitForChanges(_ name: () -> String) throws(AudioError) {
    guard changer != 0 else { return }
    let end = rt_host_time() + Self.changeTimeout
    waitPolling(every: 1_000, until: end, releasing: released) {
      changer != 0 && changer != Self.thread
    }
    guard changer == 0 else {
      throw .fileOperationNotSupported.because(
        "\(name()): cannot be changed while another change calls one of its functions")
    }
  }
}
